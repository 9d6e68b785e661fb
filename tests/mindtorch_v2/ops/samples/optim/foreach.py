"""Samples of ops/optim/foreach.py. What a list op makes anew is multiplied by one, so that gradients are compared but
not the nodes they come from: torch makes one node for a list, ours one for each tensor, as docs/DIFFERENCES.md says."""

from __future__ import annotations

from .. import S

A = {"a": "pos(3, 4)", "b": "pos(5)"}
C = {**A, "c": "f(3, 4)", "d": "pos(5)"}
E = {**C, "e": "pos(3, 4)", "g": "pos(5)"}
UNARY = ("abs atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round rsqrt "
         "sigmoid sign sin sinh sqrt tan tanh trunc").split()


def _both(name: str, overload: str, rest: str, inputs: dict[str, str]) -> dict[str, list]:
    """The list op that makes new tensors and the one that writes into those it is given."""
    dot = f".{overload}" if overload else ""
    return {f"_foreach_{name}{dot}": [_made(f"_foreach_{name}([a, b]{rest})", **inputs)],
            f"_foreach_{name}_{dot}": [S(f"torch._foreach_{name}_([a * 1, b * 1]{rest})", **inputs)]}


def _made(call: str, **inputs: str):
    return S(f"[t * 1 for t in torch.{call}]", **inputs)


SAMPLES = {
    "_foreach_norm.Scalar": [_made("_foreach_norm([a, b])", **A), _made("_foreach_norm([a, b], 1)", **A)],
    "_foreach_pow.ScalarAndTensor": [_made("_foreach_pow(0.9, [a, b])", **A)],
    "_foreach_max": [_made("_foreach_max([a, b])", **A)],
    "_foreach_clone": [_made("_foreach_clone([a, b])", **A)],
    "_foreach_mm": [_made("_foreach_mm([a, b], [c, d])", a="f(3, 4)", b="f(2, 3)", c="f(4, 2)", d="f(3, 5)")],
    "_foreach_zero_": [S("torch._foreach_zero_([a * 1, b * 1])", **A)],
    # on detached tensors: torch has no derivative for it
    "_foreach_copy_": [S("torch._foreach_copy_([a.detach(), b.detach()], [c.detach(), d.detach()])", **C)],
}
for _name in UNARY:
    SAMPLES |= _both(_name, "", "", A)
for _name in ("acos", "asin"):
    SAMPLES[f"_foreach_{_name}"] = [_made(f"_foreach_{_name}([a / 3, b / 3])", **A)]
    SAMPLES[f"_foreach_{_name}_"] = [S(f"torch._foreach_{_name}_([a / 3, b / 3])", **A)]
for _name in ("add", "sub", "mul", "div", "clamp_min", "clamp_max", "maximum", "minimum", "pow"):
    SAMPLES |= _both(_name, "Scalar", ", 2", A)
    SAMPLES |= _both(_name, "List", ", [c, d]", C)
    SAMPLES |= _both(_name, "ScalarList", ", [2.0, 3.0]", A)
for _name in ("mul", "div"):
    SAMPLES |= _both(_name, "Tensor", ", c.detach()", {**A, "c": "pos()"})  # torch's derivative for c ends in an error
SAMPLES["_foreach_add.Tensor"] = [_made("ops.aten._foreach_add.Tensor([a, b], c.detach())", **A, c="pos()")]
SAMPLES["_foreach_add_.Tensor"] = [
    S("(lambda both: (torch.ops.aten._foreach_add_.Tensor(both, c), both)[1])([a * 1, b * 1])", **A, c="pos()")]
# In place, torch has no derivative of these by numbers, and names the one by tensors otherwise.
for _name in ("maximum", "minimum"):
    SAMPLES[f"_foreach_{_name}_.Scalar"] = [S(f"torch._foreach_{_name}_([a.detach(), b.detach()], 2)", **A)]
    SAMPLES[f"_foreach_{_name}_.ScalarList"] = [
        S(f"torch._foreach_{_name}_([a.detach(), b.detach()], [2.0, 3.0])", **A)]
    SAMPLES[f"_foreach_{_name}_.List"] = [_made(f"_foreach_{_name}_([a * 1, b * 1], [c, d])", **C)]
SAMPLES["_foreach_add_.List"].append(
    S("torch._foreach_add_([a * 1, b * 1], [c, d], alpha=-0.1)", **C))
for _name in ("addcmul", "addcdiv"):
    _lists = ", [c, d], [e, g]"
    SAMPLES |= _both(_name, "Scalar", f"{_lists}, value=0.5", E)
    SAMPLES |= _both(_name, "ScalarList", f"{_lists}, [0.5, 2.0]", E)
    # on detached tensors: torch has no derivative for numbers read from a tensor
    _detached = "[a.detach(), b.detach()], [c.detach(), d.detach()], [e.detach(), g.detach()], h.detach()"
    for _form in (_name, f"{_name}_"):
        SAMPLES[f"_foreach_{_form}.Tensor"] = [S(f"torch._foreach_{_form}({_detached})", **E, h="pos(2)")]
SAMPLES |= _both("lerp", "Scalar", ", [c, d], 0.1", C)
SAMPLES |= _both("lerp", "List", ", [c, d], [e, g]", E)
SAMPLES |= _both("lerp", "ScalarList", ", [c, d], [0.1, 0.9]", C)
