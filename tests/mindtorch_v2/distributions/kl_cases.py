"""Pairs of distributions whose divergence is asked for, on PyTorch (tools/record_distributions.py) and here."""

from __future__ import annotations

from typing import Any

# class: itself as the first of a pair, and as the second
SIDES = {
    "Bernoulli": ("p([0.2, 1.0])", "p([0.6, 0.3])"),
    "Beta": ("p([0.5, 2.0]), p([1.5, 3.0])", "p([1.0, 2.5]), p([0.7, 3.0])"),
    "Binomial": ("5, p([0.2, 0.7])", "5, p([0.4, 0.6])"),
    "Categorical": ("p([0.2, 0.3, 0.5])", "p([0.6, 0.0, 0.4])"),
    "Cauchy": ("p([0.5, -1.0]), p([1.2, 0.3])", "p([0.0, 1.0]), p([1.0, 2.0])"),
    "ContinuousBernoulli": ("p([0.2, 0.5])", "p([0.4, 0.9])"),
    "Dirichlet": ("p([0.5, 1.5, 3.0])", "p([1.0, 1.0, 2.0])"),
    "Exponential": ("p([0.5, 3.0])", "p([1.0, 2.0])"),
    "ExponentialFamily": ("", ""),  # by any member of the family
    "Gamma": ("p([0.5, 3.0]), p([1.0, 2.0])", "p([1.0, 2.0]), p([0.5, 1.5])"),
    "Geometric": ("p([0.2, 0.9])", "p([0.5, 0.4])"),
    "Gumbel": ("p([0.5, -1.0]), p([1.2, 0.3])", "p([0.0, 1.0]), p([1.0, 2.0])"),
    "HalfNormal": ("p([0.5, 2.0])", "p([1.0, 1.5])"),
    "Independent": ("D.Normal(p([0.5, -1.0]), p([1.2, 0.3])), 1", "D.Normal(p([0.0, 1.0]), p([1.0, 2.0])), 1"),
    "Laplace": ("p([0.5, -1.0]), p([1.2, 0.3])", "p([0.0, 1.0]), p([1.0, 2.0])"),
    "LowRankMultivariateNormal": ("p([0.5, -1.0]), p([[0.5], [1.0]]), p([1.0, 0.5])",
                                  "p([0.0, 1.0]), p([[0.2], [0.3]]), p([2.0, 1.0])"),
    "MultivariateNormal": ("p([0.5, -1.0]), p([[2.0, 0.3], [0.3, 1.0]])", "p([0.0, 1.0]), p([[1.0, 0.1], [0.1, 3.0]])"),
    "Normal": ("p([0.5, -1.0]), p([1.2, 0.3])", "p([0.0, 1.0]), p([1.0, 2.0])"),
    "OneHotCategorical": ("p([0.2, 0.3, 0.5])", "p([0.6, 0.1, 0.3])"),
    "Pareto": ("p([0.5, 2.0]), p([1.5, 3.0])", "p([0.4, 2.5]), p([1.0, 2.0])"),
    "Poisson": ("p([0.5, 3.0])", "p([1.0, 2.0])"),
    "TransformedDistribution": ("D.Normal(p([0.5]), p([1.2])), D.ExpTransform()",
                                "D.Normal(p([0.0]), p([1.0])), D.ExpTransform()"),
    "Uniform": ("p([0.1, 0.2]), p([0.5, 0.9])", "p([0.0, 0.3]), p([1.0, 2.0])"),
}


def pairs(torch: Any) -> list[str]:
    """The pairs that are registered, by name."""
    return sorted(f"{p.__name__} {q.__name__}" for p, q in torch.distributions.kl._KL_REGISTRY)


def codes(pair: str) -> tuple[str, str]:
    """The two distributions of a pair, as code."""
    p, q = pair.split()
    if p == "ExponentialFamily":
        return "Gamma(p([0.5, 3.0]), p([1.0, 2.0]))", "Gamma(p([1.0, 2.0]), p([0.5, 1.5]))"
    return f"{p}({SIDES[p][0]})", f"{q}({SIDES[q][1]})"


def divergence(torch: Any, cases: Any, pair: str) -> dict[str, Any]:
    """The divergence of a pair, its gradients, and its rows."""
    made = [cases.Maker(torch, code) for code in codes(pair)]
    kl = torch.distributions.kl
    function = kl._KL_REGISTRY[tuple(kind(torch, name) for name in pair.split())]
    p, q = (maker.distribution for maker in made)
    answer = function(p, q)
    parameters = [parameter for maker in made for parameter in maker.parameters]
    again = [cases.Maker(torch, code).distribution for code in codes(pair)]
    return {"answer": cases.numbers(answer), "gradients": cases.gradients_of(torch, answer, parameters),
            "rows": cases.rows(torch, lambda: function(*again))}


def kind(torch: Any, name: str) -> type:
    return getattr(torch.distributions, name)
