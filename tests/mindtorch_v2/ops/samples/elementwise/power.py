"""Samples of ops/elementwise/power.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "pow.Tensor_Tensor": [
        S("x ** y", x="c(3)", y="c(3)"),
        S("x ** y", x="pos(3, 4)", y="f(4)"),
        S("torch.pow(x, y)", x="i(3)", y="i(3)"),
        S("x ** y", x="pos(3)", y="i(3)"),
    ],
    "pow_.Tensor": [S("x.pow_(y)", x="i(3, 4)", y="i(4)")],
    "pow.Tensor_Tensor_out": [S("torch.pow(x, y, out=torch.empty(0))", x="pos(3)", y="f(3)")],
    "pow.Tensor_Scalar": [
        S("x ** 3", x="c(3)"),
        S("x ** 2", x="f(3, 4)"),
        S("x ** 3", x="h(3)"),
        S("x ** 0.5", x="pos(3, 4)"),
        S("x ** 1", x="f(3)"),
        S("x ** 0", x="f(3)"),
        S("x ** -1.5", x="pos(4)"),
        S("x ** 0.5", x="i(3)"),
        S("x ** 2", x="b(3)"),
    ],
    "pow_.Scalar": [S("(x * 1).pow_(2)", x="f(3, 4)"), S("(x * 1).pow_(1)", x="f(3)"), S("x.pow_(3)", x="i(3)")],
    "pow.Tensor_Scalar_out": [S("torch.pow(x, 2, out=torch.empty(3))", x="f(3)")],
    "pow.Scalar": [S("(1 + 2j) ** x", x="c(3)"), S("2 ** x", x="f(3, 4)"), S("2.5 ** x", x="i(3)"),
                   S("1 ** x", x="f(3)")],
    "pow.Scalar_out": [S("torch.pow(2, x, out=torch.empty(3))", x="f(3)")],
    "square": [S("torch.square(x)", x="f(3, 4)"), S("x.square()", x="i(3)")],
    "square_": [S("(x * 1).square_()", x="f(3, 4)")],
    "square.out": [S("torch.square(x, out=torch.empty(3))", x="f(3)")],
    "float_power.Tensor_Tensor": [S("torch.float_power(x, y)", x="i(3)", y="i(3)")],
    "float_power.Tensor_Scalar": [S("torch.float_power(x, 2)", x="i(3)")],
    "float_power.Scalar": [S("torch.float_power(2, x)", x="i(3)"), S("torch.float_power(2.5, x)", x="f(3)")],
    "float_power_.Tensor": [S("(x * 1).float_power_(y)", x="torch.abs(d(3, 4))", y="f(4)"),
                            S("(x * 1).float_power_(y)", x="f(3, 4)", y="f(4)")],
    "float_power_.Scalar": [S("(x * 1).float_power_(2.0)", x="d(3, 4)"), S("(x * 1).float_power_(2)", x="f(3, 4)")],
}
