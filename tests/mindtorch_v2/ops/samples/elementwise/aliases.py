"""Samples of second names, which ops/elementwise/trigonometry.py declares."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "absolute": [S("torch.absolute(x)", x="f(3, 4)")],
    "absolute.out": [S("torch.absolute(x, out=torch.empty(0))", x="f(3, 4)")],
    "fix": [S("torch.fix(x)", x="f(3, 4)")],
    "fix.out": [S("torch.fix(x, out=torch.empty(0))", x="f(3, 4)")],
    "arctan": [S("torch.arctan(x)", x="f(3, 4)")],
    "arctan.out": [S("torch.arctan(x, out=torch.empty(0))", x="f(3, 4)")],
    "arcsinh": [S("torch.arcsinh(x)", x="f(3, 4)")],
    "arcsinh.out": [S("torch.arcsinh(x, out=torch.empty(0))", x="f(3, 4)")],
    "absolute_": [S("(x * 1).absolute_()", x="f(3, 4)")],
    "fix_": [S("(x * 1).fix_()", x="f(3, 4)")],
    "arctan_": [S("(x * 1).arctan_()", x="f(3, 4)")],
    "arcsin": [S("torch.arcsin(x / 3)", x="f(3, 4)")],
    "arccos": [S("torch.arccos(x / 3)", x="f(3, 4)")],
    "arctanh": [S("torch.arctanh(x / 3)", x="f(3, 4)")],
    "arccosh": [S("torch.arccosh(x + 1)", x="pos(3)")],
    "arctan2": [S("torch.arctan2(x, y)", x="f(3, 4)", y="pos(4)")],
    "arctan2.out": [S("torch.arctan2(x, y, out=torch.empty(0))", x="f(3, 4)", y="pos(4)")],
    "arctan2_": [S("(x * 1).arctan2_(y)", x="f(3, 4)", y="pos(4)")],
    "arcsinh_": [S("x.detach().arcsinh_()", x="f(3, 4)")],  # detached as in trigonometry.py
    "arccosh_": [S("(x.detach() + 1).arccosh_()", x="pos(3)")],
    "arccosh.out": [S("torch.arccosh(x + 1, out=torch.empty(0))", x="pos(3)")],
}
for _name in ("arcsin", "arccos", "arctanh"):
    SAMPLES[f"{_name}_"] = [S(f"(x{'.detach()' if _name == 'arctanh' else ''} / 3).{_name}_()", x="f(3, 4)")]
    SAMPLES[f"{_name}.out"] = [S(f"torch.{_name}(x / 3, out=torch.empty(0))", x="f(3, 4)")]
