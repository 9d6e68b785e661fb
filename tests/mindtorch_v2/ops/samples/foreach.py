"""Samples of ops/foreach.py, on detached tensors, as optimisers call them: torch gives lists nodes of their own."""

from __future__ import annotations

from . import S

A = {"a": "pos(3, 4)", "b": "pos(5)"}
C = {**A, "c": "f(3, 4)", "d": "pos(5)"}
E = {**C, "e": "pos(3, 4)", "g": "pos(5)"}
UNARY = ("abs atan ceil cos cosh erf erfc exp expm1 floor frac log log10 log1p log2 neg reciprocal round rsqrt sigmoid "
         "sign sin sinh sqrt tan tanh trunc").split()


def _both(name: str, overload: str, rest: str, inputs: dict[str, str]) -> dict[str, list]:
    """The list op that makes new tensors and the one that writes into those it is given."""
    dot = f".{overload}" if overload else ""
    return {f"_foreach_{name}{dot}": [S(f"torch._foreach_{name}([a.detach(), b.detach()]{rest})", **inputs)],
            f"_foreach_{name}_{dot}": [S(f"torch._foreach_{name}_([a.detach(), b.detach()]{rest})", **inputs)]}


SAMPLES = {
    "_foreach_norm.Scalar": [S("torch._foreach_norm([a.detach(), b.detach()])", **A),
                             S("torch._foreach_norm([a.detach(), b.detach()], 1)", **A)],
    "_foreach_pow.ScalarAndTensor": [S("torch._foreach_pow(0.9, [a.detach(), b.detach()])", **A)],
    "_foreach_zero_": [S("torch._foreach_zero_([a.detach(), b.detach()])", **A)],
    "_foreach_copy_": [S("torch._foreach_copy_([a.detach(), b.detach()], [c.detach(), d.detach()])", **C)],
}
for _name in UNARY:
    SAMPLES |= _both(_name, "", "", A)
for _name in ("acos", "asin"):
    SAMPLES[f"_foreach_{_name}"] = [S(f"torch._foreach_{_name}([a.detach() / 2, b.detach() / 2])", **A)]
for _name in ("add", "sub", "mul", "div", "clamp_min", "clamp_max", "maximum", "minimum", "pow"):
    SAMPLES |= _both(_name, "Scalar", ", 2", A)
    SAMPLES |= _both(_name, "List", ", [c.detach(), d.detach()]", C)
    SAMPLES |= _both(_name, "ScalarList", ", [2.0, 3.0]", A)
for _name in ("mul", "div"):
    SAMPLES |= _both(_name, "Tensor", ", c.detach()", {**A, "c": "pos()"})
SAMPLES["_foreach_add_.List"].append(
    S("torch._foreach_add_([a.detach(), b.detach()], [c.detach(), d.detach()], alpha=-0.1)", **C))
for _name in ("addcmul", "addcdiv"):
    _lists = ", [c.detach(), d.detach()], [e.detach(), g.detach()]"
    SAMPLES |= _both(_name, "Scalar", f"{_lists}, value=0.5", E)
    SAMPLES |= _both(_name, "ScalarList", f"{_lists}, [0.5, 2.0]", E)
    SAMPLES |= _both(_name, "Tensor", f"{_lists}, h.detach()", {**E, "h": "pos(2)"})
SAMPLES |= _both("lerp", "Scalar", ", [c.detach(), d.detach()], 0.1", C)
SAMPLES |= _both("lerp", "List", ", [c.detach(), d.detach()], [e.detach(), g.detach()]", E)
SAMPLES |= _both("lerp", "ScalarList", ", [c.detach(), d.detach()], [0.1, 0.9]", C)
