"""Transforms, where each is tried, and what is asked of it, on PyTorch and here."""

from __future__ import annotations

from typing import Any

VECTOR = "[0.3, -1.2, 0.7]"
MATRIX = "[[0.3, -1.2], [0.7, 0.1]]"
# transform: an argument of it
TRANSFORMS = {
    "D.ExpTransform()": VECTOR, "D.AbsTransform()": VECTOR, "D.SigmoidTransform()": VECTOR,
    "D.SoftplusTransform()": VECTOR, "D.TanhTransform()": VECTOR, "D.SigmoidTransform().inv": "[0.3, 0.9]",
    "D.AffineTransform(1.0, -2.0)": VECTOR, "D.AffineTransform(p([1.0]), p([2.0, 0.5, -1.0]))": VECTOR,
    "D.AffineTransform(p([1.0]), p([2.0, 0.5, -1.0]), event_dim=1)": VECTOR,
    "D.PowerTransform(p(2.5))": "[0.3, 1.2]", "D.PowerTransform(2.0)": "[0.3, 1.2]",
    "D.SoftmaxTransform()": VECTOR, "D.StickBreakingTransform()": VECTOR, "D.CorrCholeskyTransform()": VECTOR,
    "D.LowerCholeskyTransform()": MATRIX, "D.PositiveDefiniteTransform()": MATRIX,
    "D.ReshapeTransform((2, 2), (4,))": MATRIX, "D.IndependentTransform(D.ExpTransform(), 1)": MATRIX,
    "D.ComposeTransform([D.ExpTransform(), D.AffineTransform(p(0.5), p(2.0)), D.PowerTransform(p(0.5))])": VECTOR,
    "D.ComposeTransform([D.TanhTransform(), D.StickBreakingTransform()])": VECTOR,
    "D.CatTransform([D.ExpTransform(), D.AffineTransform(p(1.0), p(2.0))], 0, [2, 1])": VECTOR,
    "D.StackTransform([D.ExpTransform(), D.SigmoidTransform()], 1)": MATRIX,
    "D.CumulativeDistributionTransform(D.Normal(p(0.5), p(2.0)))": VECTOR,
    **{f"D.{registry}(C.{constraint})": argument for registry in ("biject_to", "transform_to")
       for constraint, argument in (("greater_than(p(2.0))", VECTOR), ("less_than(p(2.0))", VECTOR),
                                    ("interval(p(1.0), p(3.0))", VECTOR), ("simplex", VECTOR),
                                    ("independent(C.positive, 1)", VECTOR))},
}


def answers(torch: Any, cases: Any, code: str) -> dict[str, Any]:
    """Result, argument worked out again and stretch, with the rows and the gradients of each; and what it says."""
    parameters: list = []

    def parameter(values: Any) -> Any:
        parameters.append(torch.tensor(values, requires_grad=True))
        return parameters[-1]

    D = torch.distributions
    transform = eval(code, {"D": D, "C": D.constraints, "p": parameter})
    x = parameter(eval(TRANSFORMS[code]))
    y = transform(x)
    found: dict[str, Any] = {
        "repr": repr(transform), "bijective": transform.bijective, "domain": repr(transform.domain),
        "codomain": repr(transform.codomain), "shapes": [list(transform.forward_shape(x.shape)),
                                                         list(transform.inverse_shape(y.shape))]}
    for name, act in (("call", lambda: transform(x)), ("inverse", lambda: transform.inv(y.detach())),
                      ("stretch", lambda: transform.log_abs_det_jacobian(x, y))):
        rows = cases.rows(torch, act)
        if rows == "fails":
            found[name] = rows
            continue
        answer = act()
        found[name] = {"rows": rows, "answer": cases.numbers(answer),
                       "gradients": cases.gradients_of(torch, answer, parameters)}
    return found
