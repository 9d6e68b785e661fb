"""Samples of ops/elementwise/trigonometry.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "sin": [S("torch.sin(x)", x="f(3, 4)"), S("x.sin()", x="i(5)"), S("torch.sin(x)", x="h(6)")],
    "sin_": [S("(x * 1).sin_()", x="f(3, 4)")],
    "sin.out": [S("torch.sin(x, out=torch.empty(0))", x="f(3, 4)")],
    "cos": [S("torch.cos(x)", x="f(3, 4)"), S("x.cos()", x="i(5)"), S("torch.cos(x)", x="h(6)")],
    "cos_": [S("(x * 1).cos_()", x="f(3, 4)")],
    "cos.out": [S("torch.cos(x, out=torch.empty(0))", x="f(3, 4)")],
    "tan": [S("torch.tan(x)", x="f(3, 4)"), S("x.tan()", x="i(5)"), S("torch.tan(x)", x="h(6)")],
    "tan_": [S("(x * 1).tan_()", x="f(3, 4)")],
    "tan.out": [S("torch.tan(x, out=torch.empty(0))", x="f(3, 4)")],
    "atan": [S("torch.atan(x)", x="f(3, 4)"), S("x.atan()", x="i(5)"), S("torch.atan(x)", x="h(6)")],
    "atan_": [S("(x * 1).atan_()", x="f(3, 4)")],
    "atan.out": [S("torch.atan(x, out=torch.empty(0))", x="f(3, 4)")],
    "sinh": [S("torch.sinh(x)", x="f(3, 4)"), S("x.sinh()", x="i(5)"), S("torch.sinh(x)", x="h(6)")],
    "sinh_": [S("(x * 1).sinh_()", x="f(3, 4)")],
    "sinh.out": [S("torch.sinh(x, out=torch.empty(0))", x="f(3, 4)")],
    "cosh": [S("torch.cosh(x)", x="f(3, 4)"), S("x.cosh()", x="i(5)"), S("torch.cosh(x)", x="h(6)")],
    "cosh_": [S("(x * 1).cosh_()", x="f(3, 4)")],
    "cosh.out": [S("torch.cosh(x, out=torch.empty(0))", x="f(3, 4)")],
    "asinh": [S("torch.asinh(x)", x="f(3, 4)"), S("x.asinh()", x="i(5)"), S("torch.asinh(x)", x="h(6)")],
    "asinh.out": [S("torch.asinh(x, out=torch.empty(0))", x="f(3, 4)")],
    "asin": [S("torch.asin(x / 3)", x="f(3, 4)")],
    "asin_": [S("(x / 3).asin_()", x="f(3, 4)")],
    "asin.out": [S("torch.asin(x / 3, out=torch.empty(0))", x="f(3, 4)")],
    "acos": [S("torch.acos(x / 3)", x="f(3, 4)")],
    "acos_": [S("(x / 3).acos_()", x="f(3, 4)")],
    "acos.out": [S("torch.acos(x / 3, out=torch.empty(0))", x="f(3, 4)")],
    "atanh": [S("torch.atanh(x / 3)", x="f(3, 4)")],
    "atanh.out": [S("torch.atanh(x / 3, out=torch.empty(0))", x="f(3, 4)")],
    "acosh": [S("torch.acosh(x + 1)", x="pos(3, 4)")],
    "acosh.out": [S("torch.acosh(x + 1, out=torch.empty(0))", x="pos(3, 4)")],
    # on detached tensors: torch has no derivative for these three in place, ours has
    "asinh_": [S("x.detach().asinh_()", x="f(3, 4)")],
    "atanh_": [S("(x.detach() / 3).atanh_()", x="f(3, 4)")],
    "acosh_": [S("(x.detach() + 1).acosh_()", x="pos(3, 4)")],
    "atan2": [S("torch.atan2(x, y)", x="f(3, 4)", y="pos(4)")],
    "atan2_": [S("(x * 1).atan2_(y)", x="f(3, 4)", y="pos(4)")],
    "atan2.out": [S("torch.atan2(x, y, out=torch.empty(0))", x="f(3, 4)", y="pos(4)")],
    "deg2rad": [S("torch.deg2rad(x)", x="f(3, 4)"), S("torch.deg2rad(x)", x="i(3)")],
    "deg2rad_": [S("(x * 1).deg2rad_()", x="f(3, 4)")],
    "deg2rad.out": [S("torch.deg2rad(x, out=torch.empty(3, 4))", x="f(3, 4)")],
    "rad2deg": [S("torch.rad2deg(x)", x="f(3, 4)"), S("torch.rad2deg(x)", x="i(3)")],
    "rad2deg_": [S("(x * 1).rad2deg_()", x="f(3, 4)")],
    "rad2deg.out": [S("torch.rad2deg(x, out=torch.empty(3, 4))", x="f(3, 4)")],
}
for _name in "sin cos tan atan sinh cosh asinh asin acos atanh acosh".split():
    SAMPLES[_name].append(S(f"torch.{_name}(x)", x="c(3)"))
