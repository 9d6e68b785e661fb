"""Samples of ops/elementwise/lerp.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "lerp.Scalar": [
        S("torch.lerp(x, y, 0.3)", x="f(3, 4)", y="f(4)"),
        S("torch.lerp(x, y, 0.7)", x="h(3)", y="h(3)"),
    ],
    "lerp_.Scalar": [S("(x * 1).lerp_(y, 0.1)", x="f(3, 4)", y="f(3, 4)")],
    "lerp.Scalar_out": [S("torch.lerp(x, y, 0.3, out=torch.empty(0))", x="f(3)", y="f(3)")],
    "lerp.Tensor": [S("torch.lerp(x, y, w)", x="f(3, 4)", y="f(3, 4)", w="f(4)")],
    "lerp_.Tensor": [S("(x * 1).lerp_(y, w)", x="f(3, 4)", y="f(3, 4)", w="pos(3, 4)")],
    "lerp.Tensor_out": [S("torch.lerp(x, y, w, out=torch.empty(0))", x="f(3)", y="f(3)", w="f(3)")],
    "addcmul": [
        S("torch.addcmul(x, a, b)", x="f(3, 4)", a="f(4)", b="pos(3, 1)"),
        S("torch.addcmul(x, a, b, value=0.5)", x="f(3, 4)", a="f(3, 4)", b="pos(3, 4)"),
        S("torch.addcmul(x, a, b)", x="f(3)", a="d(3)", b="d(3)"),
        S("torch.addcmul(x, a, b)", x="i(3)", a="i(3)", b="i(3)"),
    ],
    "addcmul_": [
        S("(x * 1).addcmul_(a, b, value=0.5)", x="f(3, 4)", a="f(3, 4)", b="pos(3, 4)"),
        S("(x * 1).addcmul_(a, b)", x="f(3, 4)", a="f(4)", b="pos(4)"),
    ],
    "addcmul.out": [S("torch.addcmul(x, a, b, value=2, out=torch.empty(0))", x="f(3)", a="f(3)", b="pos(3)")],
    "addcdiv": [
        S("torch.addcdiv(x, a, b)", x="f(3, 4)", a="f(4)", b="pos(3, 1)"),
        S("torch.addcdiv(x, a, b, value=0.5)", x="f(3, 4)", a="f(3, 4)", b="pos(3, 4)"),
        S("torch.addcdiv(x, a, b)", x="f(3)", a="d(3)", b="d(3)"),
    ],
    "addcdiv_": [
        S("(x * 1).addcdiv_(a, b, value=0.5)", x="f(3, 4)", a="f(3, 4)", b="pos(3, 4)"),
        S("(x * 1).addcdiv_(a, b)", x="f(3, 4)", a="f(4)", b="pos(4)"),
    ],
    "addcdiv.out": [S("torch.addcdiv(x, a, b, value=2, out=torch.empty(0))", x="f(3)", a="f(3)", b="pos(3)")],
}
