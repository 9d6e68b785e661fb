"""Samples of ops/elementwise/division.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "floor_divide": [
        S("x // y", x="i(3, 4)", y="i(4, low=1)"),
        S("x // 2", x="i(3)"),
        S("torch.floor_divide(x, 1.5)", x="i(3)"),
        S("5 // x", x="i(3, low=1)"),
    ],
    "floor_divide_.Tensor": [S("x.floor_divide_(y)", x="i(3)", y="i(3, low=1)")],
    "floor_divide.out": [S("torch.floor_divide(x, y, out=torch.empty(3))", x="f(3)", y="pos(3)")],
    "div.Tensor_mode": [
        S("torch.div(x, y, rounding_mode='floor')", x="f(3, 4)", y="pos(4)"),
        S("torch.div(x, 2, rounding_mode='trunc')", x="i(3, low=-5)"),
        S("torch.div(x, y, rounding_mode=None)", x="f(3, 4)", y="pos(4)"),
    ],
    "div_.Tensor_mode": [S("(x * 1).div_(y, rounding_mode='trunc')", x="f(3)", y="pos(3)")],
    "div.out_mode": [S("torch.div(x, y, rounding_mode='floor', out=torch.empty(3))", x="f(3)", y="pos(3)")],
    "remainder.Tensor": [
        S("torch.remainder(x, y)", x="f(3, 4)", y="pos(4)"),
        S("torch.remainder(x, y)", x="i(3)", y="i(3, low=1)"),
    ],
    "remainder.Scalar": [S("torch.remainder(x, 2)", x="f(3, 4)"), S("torch.remainder(x, 1.5)", x="i(3)")],
    "remainder_.Tensor": [S("(x * 1).remainder_(y)", x="f(3)", y="pos(3)")],
    "remainder_.Scalar": [S("(x * 1).remainder_(2)", x="f(3)")],
    "remainder.Tensor_out": [S("torch.remainder(x, y, out=torch.empty(0))", x="f(3)", y="pos(3)")],
    "remainder.Scalar_out": [S("torch.remainder(x, 2, out=torch.empty(0))", x="f(3)")],
    "fmod.Tensor": [S("torch.fmod(x, y)", x="f(3, 4)", y="pos(4)"), S("torch.fmod(x, y)", x="i(3)", y="i(3, low=1)")],
    "fmod.Scalar": [S("torch.fmod(x, 2)", x="f(3, 4)"), S("torch.fmod(x, 1.5)", x="i(3)")],
    "fmod_.Tensor": [S("(x * 1).fmod_(y)", x="f(3)", y="pos(3)")],
    "fmod_.Scalar": [S("(x * 1).fmod_(2)", x="f(3)")],
    "fmod.Tensor_out": [S("torch.fmod(x, y, out=torch.empty(0))", x="f(3)", y="pos(3)")],
    "fmod.Scalar_out": [S("torch.fmod(x, 2, out=torch.empty(0))", x="f(3)")],
    "remainder.Scalar_Tensor": [S("5 % x", x="i(3, low=1)")],
    "true_divide.Tensor": [
        S("torch.true_divide(x, y)", x="f(3, 4)", y="pos(4)"),
        S("torch.true_divide(x, 2)", x="i(3)"),
    ],
    "true_divide_.Tensor": [S("(x * 1).true_divide_(y)", x="f(3, 4)", y="pos(4)")],
    "true_divide.out": [S("torch.true_divide(x, y, out=torch.empty(0))", x="f(3)", y="pos(3)")],
    "divide.Tensor": [S("torch.divide(x, y)", x="f(3, 4)", y="pos(4)"), S("torch.divide(x, 2)", x="i(3)")],
    "divide_.Tensor": [S("(x * 1).divide_(y)", x="f(3, 4)", y="pos(4)")],
    "divide.out": [S("torch.divide(x, y, out=torch.empty(0))", x="f(3)", y="pos(3)")],
    "multiply.Tensor": [S("torch.multiply(x, y)", x="f(3, 4)", y="pos(4)"), S("torch.multiply(x, 2)", x="i(3)")],
    "multiply_.Tensor": [S("(x * 1).multiply_(y)", x="f(3, 4)", y="pos(4)")],
    "multiply.out": [S("torch.multiply(x, y, out=torch.empty(0))", x="f(3)", y="pos(3)")],
    "divide.Tensor_mode": [S("torch.divide(x, 2, rounding_mode='floor')", x="f(3)")],
    "divide_.Tensor_mode": [S("(x * 1).divide_(y, rounding_mode='floor')", x="f(3)", y="pos(3)")],
    "subtract.Tensor": [S("torch.subtract(x, y, alpha=2)", x="f(3, 4)", y="f(4)"), S("x.subtract(2)", x="i(3)")],
    "subtract_.Tensor": [S("(x * 1).subtract_(y)", x="f(3, 4)", y="f(4)")],
    "subtract.out": [S("torch.subtract(x, y, out=torch.empty(0))", x="f(3, 4)", y="f(4)")],
    "negative.out": [S("torch.negative(x, out=torch.empty(0))", x="f(3, 4)")],
    "negative": [S("torch.negative(x)", x="f(3, 4)")],
    "negative_": [S("(x * 1).negative_()", x="f(3, 4)")],
    "gcd": [
        S("torch.gcd(x, y)", x="i(3, 4, low=-20, high=20)", y="i(4, high=20)"),
        S("x.gcd(y)", x="i(3, 4)", y="i(4).to(torch.int8)"),
        S("torch.gcd(x, y)", x="f(3)", y="i(3)"),
        S("torch.gcd(x, y)", x="b(3)", y="b(3)"),
    ],
    "gcd_": [
        S("(x * 1).gcd_(y)", x="i(3, 4, high=20)", y="i(4, high=20)"),
        S("torch.gcd_(x * 1, y)", x="i(3, 4, high=20)", y="i(4, high=20)"),
    ],
    "gcd.out": [
        S("torch.gcd(x, y, out=torch.empty(0, dtype=torch.int64))", x="i(3, 4)", y="i(4)"),
    ],
    "lcm": [
        S("torch.lcm(x, y)", x="i(3, 4, low=-20, high=20)", y="i(4, high=20)"),
        S("x.lcm(y)", x="i(3, 4).to(torch.int32)", y="i(4).to(torch.uint8)"),
        S("torch.lcm(x, y)", x="f(3)", y="f(3)"),
    ],
    "lcm_": [
        S("(x * 1).lcm_(y)", x="i(3, 4, high=20)", y="i(4, high=20)"),
    ],
    "lcm.out": [
        S("torch.lcm(x, y, out=torch.empty(0, dtype=torch.int64))", x="i(3, 4)", y="i(4)"),
    ],
}
