"""Samples of ops/elementwise/floating_point.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "copysign.Tensor": [
        S("torch.copysign(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.copysign(x, y)", x="i(3, 4)", y="i(4)"),
        S("torch.copysign(x, y)", x="h(3, 4)", y="h(4)"),
        S("x.copysign(y)", x="f(4, 3).t()", y="d(3, 4)"),
        S("torch.copysign(x, y)", x="c(3)", y="c(3)"),
        S("torch.copysign(x, y)", x="torch.zeros(3)", y="f(3)"),
    ],
    "copysign_.Tensor": [
        S("(x * 1).copysign_(y)", x="f(3, 4)", y="f(4)"),
    ],
    "copysign.out": [
        S("torch.copysign(x, y, out=torch.empty(0))", x="f(3, 4)", y="f(4)"),
    ],
    "copysign.Scalar": [
        S("torch.copysign(x, -2.0)", x="f(3, 4)"),
        S("torch.copysign(x, -2)", x="i(3, 4)"),
        S("x.copysign(1.0)", x="h(3)"),
    ],
    "copysign_.Scalar": [
        S("(x * 1).copysign_(2)", x="f(3, 4)"),
        S("x.copysign_(2)", x="i(3)"),
    ],
    "copysign.Scalar_out": [
        S("torch.copysign(x, 2.0, out=torch.empty(0))", x="f(3, 4)"),
    ],
    "hypot": [
        S("torch.hypot(x, y)", x="f(3, 4)", y="f(4)"),
        S("x.hypot(y)", x="h(3, 4)", y="h(4)"),
        S("torch.hypot(x, y)", x="d(3)", y="f(3)"),
        S("torch.hypot(x, y)", x="i(3)", y="i(3)"),
    ],
    "hypot_": [
        S("(x * 1).hypot_(y)", x="f(3, 4)", y="f(4)"),
    ],
    "hypot.out": [
        S("torch.hypot(x, y, out=torch.empty(0))", x="f(3, 4)", y="f(4)"),
    ],
    "nextafter": [
        S("torch.nextafter(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.nextafter(x, y)", x="h(3, 4)", y="h(4)"),
        S("torch.nextafter(x, y)", x="f(3).half()", y="f(3).half()"),
        S("x.nextafter(y)", x="d(3)", y="d(3)"),
        S("torch.nextafter(x, y)", x="i(3)", y="i(3)"),
    ],
    "nextafter_": [
        S("(x * 1).nextafter_(y)", x="f(3, 4)", y="f(4)"),
    ],
    "nextafter.out": [
        S("torch.nextafter(x, y, out=torch.empty(0))", x="f(3, 4)", y="f(4)"),
    ],
    "heaviside": [
        S("torch.heaviside(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.heaviside(x, y)", x="i(3, 4)", y="i(4)"),
        S("torch.heaviside(x, y)", x="b(3, 4)", y="b(4)"),
        S("torch.heaviside(x, y)", x='torch.tensor([float("nan"), 0.0, -0.0])', y="f(3)"),
        S("torch.heaviside(x, y)", x="c(3)", y="c(3)"),
        S("torch.heaviside(x, y)", x="f(3)", y="i(3)"),
    ],
    "heaviside_": [
        S("(x * 1).heaviside_(y)", x="i(3, 4)", y="i(4)"),
        S("(x * 1).heaviside_(y)", x="f(3, 4)", y="f(4)"),
    ],
    "heaviside.out": [
        S("torch.heaviside(x, y, out=torch.empty(0))", x="f(3, 4)", y="f(4)"),
        S("torch.heaviside(x, y, out=torch.empty(0))", x="i(3, 4)", y="i(4)"),
    ],
    "ldexp.Tensor": [
        S("torch.ldexp(x, y)", x="f(3, 4)", y="i(4)"),
        S("torch.ldexp(x, y)", x="f(3, 4)", y="f(4)"),
        S("torch.ldexp(x, y)", x="i(3, 4)", y="i(4)"),
        S("torch.ldexp(x, y)", x="f(4)", y="i(3, 4)"),
        S("torch.ldexp(x, y)", x="h(3, 4)", y="i(4)"),
        S("torch.ldexp(x, y)", x="c(3, 4)", y="i(4)"),
        S("x.ldexp(y)", x="i(3, 4)", y="f(4)"),
        S("torch.ldexp(x, y)", x="f(3)", y="b(3)"),
        S("torch.ldexp(x, y)", x="c(3)", y="c(3)")],
    "ldexp_": [
        S("(x * 1).ldexp_(y)", x="f(3, 4)", y="i(4)"),
        S("(x * 1).ldexp_(y)", x="f(3, 4)", y="f(4)"),
    ],
    "ldexp.out": [
        S("torch.ldexp(x, y, out=torch.empty(0))", x="f(3, 4)", y="i(4)"),
        S("torch.ldexp(x, y, out=torch.empty(0))", x="f(3, 4)", y="f(4)"),
        S("torch.ldexp(x, y, out=torch.empty(0, dtype=torch.int64))", x="f(3, 4)", y="i(4)"),
    ],
    "frexp.Tensor": [
        S("torch.frexp(x)", x="f(3, 4)"),
        S("x.frexp()", x="h(3, 4)"),
        S("torch.frexp(x)", x="d(4, 3).t()"),
        S("torch.frexp(x)", x="i(3)"),
    ],
    "frexp.Tensor_out": [
        S("torch.frexp(x, out=(m, e))", x="f(3, 4)", m="torch.empty(0)", e="torch.empty(0, dtype=torch.int32)"),
        S("torch.frexp(x, out=(m, e))", x="f(3, 4)", m="torch.empty(0)", e="torch.empty(0, dtype=torch.int64)"),
        S("torch.frexp(x, out=(m, e))",
          x="f(3, 4)", m="torch.empty(0).double()", e="torch.empty(0, dtype=torch.int32)"),
    ],
}
