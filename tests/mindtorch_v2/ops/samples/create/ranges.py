"""Samples of ops/create/ranges.py."""

from .. import S

SAMPLES = {
    "arange": [S("torch.arange(5)"), S("torch.arange(5.)"), S("torch.arange(0)"),
               S("torch.arange(4, dtype=torch.float64)")],
    "arange.start": [S("torch.arange(1, 5)"), S("torch.arange(0, 8, dtype=torch.long)"),
                     S("torch.arange(end=5, start=2)")],
    "arange.start_step": [S("torch.arange(1, 10, 3)"), S("torch.arange(0.5, 40.5, 1.1)"),
                          S("torch.arange(5, -5, -0.7)"),
                          S("torch.arange(0, 10, 2.5, dtype=torch.int32)")],
    "arange.start_out": [S("torch.arange(1, 7, 2, out=torch.empty(0, dtype=torch.int64))")],
    "arange.out": [S("torch.arange(4, out=x)", x="i(4)")],
    "range.step": [S("torch.range(0, 5)"), S("torch.range(0.5, 20.5, 1.1)")],
    "range.out": [S("torch.range(0, 4, 2, out=torch.empty(0))")],
    "linspace": [S("torch.linspace(0, 1, 100)"), S("torch.linspace(3, -7, 11, dtype=torch.float64)"),
                 S("torch.linspace(0, 10, 4, dtype=torch.int64)"), S("torch.linspace(2, 5, 1)")],
    "linspace.out": [S("torch.linspace(0, 1, 5, out=torch.empty(0))")],
    "linspace.Tensor_Tensor": [S("torch.linspace(x.sum(), y.sum(), 5)", x="f(2)", y="f(2)")],
    "linspace.Tensor_Scalar": [S("torch.linspace(x.sum(), 2.0, 5)", x="f(2)")],
    "linspace.Scalar_Tensor": [S("torch.linspace(0, x.sum(), 5)", x="f(2)")],
    "logspace": [S("torch.logspace(0, 1, 20)"), S("torch.logspace(0, 5, 6, base=2, dtype=torch.int64)"),
                 S("torch.logspace(2, 5, 1)")],
    "logspace.out": [S("torch.logspace(0, 1, 5, out=torch.empty(0))")],
    "logspace.Tensor_Tensor": [S("torch.logspace(x.sum(), y.sum(), 5)", x="f(2)", y="f(2)")],
    "logspace.Tensor_Scalar": [S("torch.logspace(x.sum(), 2.0, 5)", x="f(2)")],
    "logspace.Scalar_Tensor": [S("torch.logspace(0.5, x.sum(), 5, 2.0)", x="f(2)")],
    "eye": [S("torch.eye(3)"), S("torch.eye(0)")],
    "eye.m": [S("torch.eye(2, 3)"), S("torch.eye(3, 2, dtype=torch.int64)")],
    "eye.out": [S("torch.eye(2, out=torch.empty(0))")],
    "eye.m_out": [S("torch.eye(2, 3, out=torch.empty(0))")],
}
