"""Samples of ops/create/copy.py."""

from __future__ import annotations

from .. import S

X = "f(3, 4)"

SAMPLES = {
    "fill_.Scalar": [S("(x * 1).fill_(2.5)", x=X), S("x.fill_(2.9)", x="i(3)"), S("x.t().fill_(1)", x="i(2, 3)")],
    "zero_": [S("(x * 1).zero_()", x=X), S("x.zero_()", x="i(3)"), S("x[:, ::2].zero_()", x="i(2, 4)")],
    "copy_": [S("(x * 1).copy_(y)", x=X, y="f(4)"), S("(x * 1).copy_(y)", x=X, y="d(3, 4)"),
              S("x.copy_(y)", x="i(3)", y="f(3)"), S("(x * 1).copy_(y)", x=X, y="f(5)"),
              S("(x * 1).t().copy_(y)", x=X, y="f(4, 3)"), S("(x * 1)[0].copy_(y)", x=X, y="f(4)")],
    "clone": [S("x.clone()", x=X), S("x.t().clone()", x=X), S("x[:, ::2].clone()", x=X),
              S("x.t().clone(memory_format=torch.contiguous_format)", x=X), S("x.clone()", x="h(3)")],
    "contiguous": [S("x.contiguous()", x=X), S("x.t().contiguous()", x=X), S("x[:, ::2].contiguous()", x=X)],
    "_to_copy": [S("torch.ops.aten._to_copy(x, dtype=torch.float64)", x=X),
                 S("torch.ops.aten._to_copy(x)", x="f(3).t()")],
    "to.dtype": [S("x.to(torch.float64)", x=X), S("x.to(torch.float32)", x=X), S("x.long()", x=X),
                 S("x.bfloat16()", x=X), S("x.t().double()", x=X), S("x.to(torch.float32, copy=True)", x=X),
                 S("x.to(torch.complex64)", x=X), S("x.float()", x="i(3)"), S("x.bool()", x="i(3)")],
    "to.other": [S("x.to(y)", x=X, y="d(2)"), S("x.to(y)", x=X, y="f(2)")],
    "detach": [S("x.detach()", x=X), S("(x * 2).detach()", x=X)],
    "resize_": [S("torch.ones(3, 4).resize_(2, 3)"), S("torch.ones(3, 4).resize_(3, 4)"),
                S("torch.ones(3).resize_(5).fill_(2)"), S("x.resize_(2)", x=X)],
}
