"""What is asked of every distribution, on PyTorch (tools/record_distributions.py) and here: ``torch`` is either."""

from __future__ import annotations

import warnings
from typing import Any

SAMPLES = (3,)
ICDF_AT = (0.1, 0.5, 0.95)

# distribution: how it is made; p(...) makes a parameter, a tensor that takes a gradient
CASES = {
    "Bernoulli": ["probs=p([0.2, 0.7])", "logits=p([[0.3], [-1.5]])", "0.3", "p([0.0, 1.0, 0.5])",
                  "p([0.25, 0.5], 'float64')"],
    "Beta": ["p([0.5, 2.0]), p([1.5, 3.0])", "2.0, 3.0", "p([[2.5], [0.7]], 'float64'), 0.5"],
    "Binomial": ["10, p([0.2, 0.7])", "torch.tensor([4.0, 60.0]), logits=p([0.3, -0.5])", "3, p([0.0, 1.0])",
                 "torch.tensor([5.0, 0.0]), p([0.4, 0.5])", "total_count=2, logits=p([[-1.0], [2.0]], 'float64')"],
    "Categorical": ["probs=p([0.2, 0.3, 0.5])", "logits=p([[0.3, -1.0, 2.0], [0.0, 1.0, 0.5]])",
                    "p([[1.0, 3.0], [2.0, 0.5]])", "logits=p([0.1, 0.4, -0.3, 0.9], 'float64')"],
    "Cauchy": ["p([0.5, -1.0]), p([1.2, 0.3])", "0.0, 1.0"],
    "Chi2": ["p([1.5, 4.0])", "3.0"],
    "ContinuousBernoulli": ["p([0.2, 0.5, 0.9])", "logits=p([[0.3], [-1.5]])", "0.3", "p([0.4, 0.5], 'float64')"],
    "Dirichlet": ["p([0.5, 1.5, 3.0])", "p([[2.0, 3.0], [0.7, 1.1]])", "p([[1.0, 1.0, 1.0]], 'float64')"],
    "Exponential": ["p([0.5, 3.0])", "2.0"],
    "FisherSnedecor": ["p([1.5, 6.0]), p([5.0, 3.5])", "3.0, 10.0"],
    "Gamma": ["p([0.5, 3.0]), p([1.0, 2.0])", "2.0, 3.0", "p([0.3, 30.0], 'float64'), 0.5"],
    "GeneralizedPareto": ["p([0.5, 0.0]), p([1.0, 2.0]), p([0.2, -0.3])", "0.0, 1.0, 0.0",
                          "p([0.0]), p([1.5]), p([0.7])"],
    "Geometric": ["p([0.2, 0.9])", "logits=p([0.3, -1.5])", "0.4"],
    "Gumbel": ["p([0.5, -1.0]), p([1.2, 0.3])", "0.0, 1.0"],
    "HalfCauchy": ["p([0.5, 2.0])", "1.0"],
    "HalfNormal": ["p([0.5, 2.0])", "1.0"],
    "Independent": ["D.Normal(p([[0.5, -1.0]]), p([[1.2, 0.3]])), 1", "D.Bernoulli(p([[0.2, 0.7], [0.4, 0.5]])), 1",
                    "D.Normal(p([0.5, -1.0]), p([1.2, 0.3])), 0"],
    "InverseGamma": ["p([2.5, 3.0]), p([1.0, 2.0])", "1.5, 3.0"],
    "Kumaraswamy": ["p([0.5, 2.0]), p([1.5, 3.0])", "2.0, 3.0"],
    "Laplace": ["p([0.5, -1.0]), p([1.2, 0.3])", "0.0, 1.0"],
    "LogNormal": ["p([0.5, -1.0]), p([1.2, 0.3])", "0.0, 1.0"],
    "LogisticNormal": ["p([0.5, -1.0]), p([1.2, 0.3])", "p([[0.5, -1.0, 0.2]]), p([[1.2, 0.3, 1.0]])"],
    "MixtureSameFamily": ["D.Categorical(p([0.3, 0.7])), D.Normal(p([0.5, -1.0]), p([1.2, 0.3]))",
                          "D.Categorical(p([[0.3, 0.7], [0.5, 0.5]])), "
                          "D.Independent(D.Normal(p([[[0.5], [-1.0]], [[1.0], [2.0]]]), p([[[1.2], [0.3]]])), 1)"],
    "Multinomial": ["5, p([0.2, 0.3, 0.5])", "3, logits=p([[0.3, -1.0, 2.0], [0.0, 1.0, 0.5]])"],
    "NegativeBinomial": ["p([3.0, 5.5]), p([0.2, 0.7])", "4, logits=p([0.3, -1.5])"],
    "Normal": ["p([0.5, -1.0]), p([1.2, 0.3])", "0.0, 1.0", "p([[0.5], [-1.0]]), p([1.2, 0.3])",
               "p([0.5, -1.0], 'float64'), 2", "torch.zeros(4, 5), p(1.5)"],
    "OneHotCategorical": ["p([0.2, 0.3, 0.5])", "logits=p([[0.3, -1.0, 2.0], [0.0, 1.0, 0.5]])"],
    "OneHotCategoricalStraightThrough": ["p([0.2, 0.3, 0.5])", "logits=p([[0.3, -1.0, 2.0], [0.0, 1.0, 0.5]])"],
    "Pareto": ["p([0.5, 2.0]), p([1.5, 3.0])", "1.0, 1.0"],
    "Poisson": ["p([0.5, 3.0])", "p([[12.0], [100.0]], 'float64')", "4.0", "p([0.0, 11.0])"],
    "RelaxedBernoulli": ["torch.tensor(0.7), p([0.2, 0.7])", "p([2.0, 0.5]), logits=p([0.3, -1.5])"],
    "RelaxedOneHotCategorical": ["torch.tensor(0.7), p([0.2, 0.3, 0.5])",
                                 "p(1.5), logits=p([[0.3, -1.0, 2.0], [0.0, 1.0, 0.5]])"],
    "StudentT": ["p([1.5, 4.0]), p([0.5, -1.0]), p([1.2, 0.3])", "3.0", "p([0.7, 1.0, 2.0])"],
    "Uniform": ["p([0.0, -2.0]), p([1.0, 3.0])", "0.0, 1.0"],
    "VonMises": ["p([0.5, -1.0]), p([1.2, 10.0])", "torch.tensor(0.0), torch.tensor(1.0)"],
    "Weibull": ["p([0.5, 2.0]), p([1.5, 0.8])", "1.0, 2.0"],
    "LKJCholesky": ["3, p([0.5, 2.0], 'float64')", "2, 1.0", "4, p(1.5, 'float64')"],
    "LowRankMultivariateNormal": ["p([0.5, -1.0, 0.2]), p([[0.5], [1.0], [-0.3]]), p([1.0, 0.5, 2.0])",
                                  "p([[0.0, 1.0], [2.0, 3.0]]), p([[1.0, 0.2], [0.3, 0.9]]), p([1.0, 0.5])"],
    "MultivariateNormal": ["p([0.5, -1.0]), covariance_matrix=p([[2.0, 0.3], [0.3, 1.0]])",
                           "p([[0.5, -1.0], [0.0, 0.0]]), precision_matrix=p([[2.0, 0.3], [0.3, 1.0]])",
                           "p([0.0, 0.0, 1.0]), scale_tril=p([[1.0, 0.0, 0.0], [0.3, 2.0, 0.0], [-0.2, 0.1, 0.5]])"],
    "Wishart": ["p(4.0), covariance_matrix=p([[2.0, 0.3], [0.3, 1.0]])",
                "p([3.5, 5.0]), precision_matrix=p([[2.0, 0.3], [0.3, 1.0]])",
                "torch.tensor(4.5), scale_tril=p([[1.0, 0.0, 0.0], [0.3, 2.0, 0.0], [-0.2, 0.1, 0.5]])"],
    "TransformedDistribution": ["D.Normal(p([0.5, -1.0]), p([1.2, 0.3])), "
                                "[D.ExpTransform(), D.AffineTransform(p(1.0), p(2.0))]",
                                "D.Uniform(p([0.0]), p([1.0])), D.SigmoidTransform().inv",
                                "D.Normal(p([0.5, -1.0, 0.3]), 1.0), D.StickBreakingTransform()"],
}
PROPERTIES = ("mean", "mode", "variance", "stddev")


def codes() -> list[str]:
    return [f"{name}({arguments})" for name, rows in CASES.items() for arguments in rows]


class Maker:
    """The distribution of a case, with the parameters that were made for it."""

    def __init__(self, torch: Any, code: str):
        self.torch, self.parameters = torch, []
        scope = {"torch": torch, "D": torch.distributions, "p": self.parameter}
        self.distribution = eval(f"D.{code}", scope)

    def parameter(self, values: Any, dtype: str = "float32") -> Any:
        made = self.torch.tensor(values, dtype=getattr(self.torch, dtype), requires_grad=True)
        self.parameters.append(made)
        return made


def value_at(torch: Any, distribution: Any) -> Any:
    """A sample that is the same for everybody."""
    torch.manual_seed(7)
    return distribution.sample(SAMPLES).detach()


def quantiles(torch: Any, distribution: Any) -> Any:
    shape = (len(ICDF_AT), *[1 for _ in distribution.batch_shape], *distribution.event_shape)
    return torch.tensor(ICDF_AT).reshape(-1, *[1 for _ in shape[1:]]).expand(shape)


# What is asked, by name: each is a function of torch and a distribution.
QUESTIONS = {
    "sample": lambda torch, d: d.sample(),
    "samples": lambda torch, d: d.sample(SAMPLES),
    "rsample": lambda torch, d: d.rsample(SAMPLES),
    "log_prob": lambda torch, d: d.log_prob(value_at(torch, d)),
    "cdf": lambda torch, d: d.cdf(value_at(torch, d)),
    "icdf": lambda torch, d: d.icdf(quantiles(torch, d)),
    "entropy": lambda torch, d: d.entropy(),
    "perplexity": lambda torch, d: d.perplexity(),
    "enumerate_support": lambda torch, d: d.enumerate_support(),
    "unexpanded_support": lambda torch, d: d.enumerate_support(expand=False),
    **{name: lambda torch, d, name=name: getattr(d, name) for name in PROPERTIES},
    **{name: lambda torch, d, name=name: getattr(d, name)
       for name in ("covariance_matrix", "precision_matrix", "scale_tril")},
    "log_normalizer": lambda torch, d: d._log_normalizer(*d._natural_params),
    "expanded": lambda torch, d: d.expand((2, *d.batch_shape)).log_prob(value_at(torch, d)[:2]),
}


def ask(torch: Any, code: str, question: str) -> dict[str, Any]:
    """The answer, and what it makes of the gradients of the parameters; or what was complained of."""
    maker = Maker(torch, code)
    torch.manual_seed(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer = QUESTIONS[question](torch, maker.distribution)
        except Exception as error:
            return {"error": complaint(error)}
    return {"answer": numbers(answer), "gradients": gradients_of(torch, answer, maker.parameters)}


def gradients_of(torch: Any, answer: Any, parameters: list) -> Any:
    """What the answer, weighted by the numbers from 1 on, makes of the gradients of the parameters."""
    if not answer.requires_grad:
        return []
    weights = torch.arange(1, answer.numel() + 1).reshape(answer.shape).to(answer.dtype)
    try:
        gradients = torch.autograd.grad((answer * weights).sum(), parameters, allow_unused=True)
    except RuntimeError as error:
        return {"error": complaint(error)}
    return [None if g is None else numbers(g) for g in gradients]


def complaint(error: Exception) -> list[str]:
    """What was complained of, without the name of the package."""
    return [type(error).__name__, str(error).replace("mindtorch_v2.", "torch.")]


def numbers(tensor: Any) -> list:
    """Type, shape and values, of which no more digits are kept than the type is sure of."""
    dtype = str(tensor.dtype)[len("torch."):]
    values = tensor.detach().double().flatten().tolist()
    return [dtype, list(tensor.shape), [float(f"{value:.9g}") for value in values]]


def rows(torch: Any, act: Any) -> str:
    """The names of the outermost rows that ``act()`` shows in a profile."""
    torch.manual_seed(3)
    with torch.profiler.profile() as prof, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            act()
        except Exception:
            return "fails"
    events = sorted([e for e in prof.events() if e.cpu_parent is None],
                    key=lambda e: (e.time_range.start, -e.time_range.end))
    return " ".join([event.name.removeprefix("aten::") for event in events])


def all_rows(torch: Any, code: str) -> dict[str, str]:
    """The rows of making a distribution, and of every question; the same ones are asked without a profile first."""
    shown = {"init": rows(torch, lambda: Maker(torch, code))}
    for question, answer in QUESTIONS.items():
        if question in AT_VALUES:
            try:
                value = AT_VALUES[question](torch, Maker(torch, code).distribution)
            except Exception:
                continue
            method = question
            distribution = Maker(torch, code).distribution
            shown[question] = rows(torch, lambda: getattr(distribution, method)(value))  # noqa: B023  called at once
        else:
            distribution = Maker(torch, code).distribution
            shown[question] = rows(torch, lambda: answer(torch, distribution))  # noqa: B023
    return shown


AT_VALUES = {"log_prob": value_at, "cdf": value_at, "icdf": quantiles}


def describe(torch: Any, code: str) -> dict[str, Any]:
    """What a distribution says about itself."""
    distribution = Maker(torch, code).distribution
    expanded = distribution.expand((4, *distribution.batch_shape))
    return {"repr": repr(distribution), "batch_shape": list(distribution.batch_shape),
            "event_shape": list(distribution.event_shape), "support": repr(distribution.support),
            "has_rsample": distribution.has_rsample, "expanded": repr(expanded),
            "expanded_shapes": [list(expanded.batch_shape), list(expanded.event_shape)]}
