"""Samples of ops/elementwise/arithmetic.py."""

from __future__ import annotations

from .. import S

X, Y, C = "f(3, 4)", "pos(4)", "c(3)"

SAMPLES = {
    "add.Tensor": [S("torch.add(x, y)", x=X, y=Y), S("x + 2", x=X), S("x.add(y, alpha=3)", x=X, y=Y),
                   S("x + y", x="i(3)", y="f(3)"), S("x + 1.5", x="i(3)"), S("x + y", x="h(3)", y="h(3)"),
                   S("x + y", x="b(3)", y="b(3)"), S("x + y", x=C, y="f(3)"), S("x + y", x=X, y="f(3)"),
                   S("torch.add(1, x, alpha=2)", x=X), S("torch.add(1.5, 2)"),
                   S("torch.add(1.5, 2.5)")],
    "add_.Tensor": [S("(x * 1).add_(y)", x=X, y=Y), S("(x * 1).add_(y, alpha=0.5)", x=X, y=X),
                    S("x.add_(1.5)", x="i(3)"), S("x.add_(1)", x=X)],
    "add.out": [S("torch.add(x, y, out=torch.empty(0))", x=X, y=Y)],
    "sub.Tensor": [S("torch.sub(x, y)", x=X, y=Y), S("x - 2", x=X), S("x.sub(y, alpha=3)", x=X, y=Y),
                   S("x - y", x="b(3)", y="b(3)"), S("x - y", x=C, y=C), S("x - y", x="i(3)", y="i(3)"),
                   S("torch.sub(1, x)", x=X)],
    "sub_.Tensor": [S("(x * 1).sub_(y)", x=X, y=Y), S("(x * 1).sub_(y, alpha=0.5)", x=X, y=X)],
    "sub.out": [S("torch.sub(x, y, out=torch.empty(3, 4))", x=X, y=Y)],
    "rsub.Tensor": [S("torch.rsub(x, y)", x=X, y=Y), S("torch.rsub(x, y, alpha=2)", x=X, y=Y)],
    "rsub.Scalar": [S("1 - x", x=X), S("torch.rsub(x, 2.5, alpha=3)", x=X), S("1.5 - x", x="i(3)")],
    "mul.Tensor": [S("torch.mul(x, y)", x=X, y=Y), S("x * 2", x=X), S("2.5 * x", x="i(3)"),
                   S("x * y", x="h(3)", y="h(3)"), S("x * y", x="b(3)", y="b(3)"), S("x * y", x=C, y=C),
                   S("x * y", x=C, y="f(3)"), S("x * (1 + 2j)", x=C), S("torch.mul(2.5, x)", x="i(3)")],
    "mul_.Tensor": [S("(x * 1).mul_(y)", x=X, y=Y), S("(x * 1).mul_(x)", x=C), S("x.mul_(y)", x="i(3)", y="f(3)")],
    "mul.out": [S("torch.mul(x, y, out=torch.empty(0))", x=X, y=Y)],
    "div.Tensor": [S("torch.div(x, y)", x=X, y=Y), S("x / 2", x=X), S("x / y", x="i(3)", y="i(3)"),
                   S("3 / x", x="pos(3)"), S("x / y", x="h(3)", y="h(3)"), S("x / y", x=C, y=C),
                   S("x / y", x="f(3)", y=C), S("x / 0", x=X),
                   S("torch.div(3, x)", x="pos(3)")],
    "div_.Tensor": [S("(x * 1).div_(y)", x=X, y=Y), S("x.div_(2)", x="i(3)")],
    "div.out": [S("torch.div(x, y, out=torch.empty(0))", x=X, y=Y)],
    "neg": [S("torch.neg(x)", x=X), S("-x", x="i(3)"), S("-x", x="b(3)"), S("-x", x=C)],
    "neg_": [S("(x * 1).neg_()", x=X)],
    "neg.out": [S("torch.neg(x, out=torch.empty(0))", x=X)],
}
