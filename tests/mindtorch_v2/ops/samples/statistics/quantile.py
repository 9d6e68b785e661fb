"""Samples of ops/statistics/quantile.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "quantile": [
        S("torch.quantile(x, q)", x="f(3, 4)", q="torch.tensor([0.1, 0.5])"),
        S("torch.quantile(x, q, 1, True)", x="f(3, 4)", q="torch.tensor([0.1, 0.5])"),
        S("x.quantile(q, dim=0)", x="f(3, 4)", q="torch.tensor(0.5)"),
        S("torch.quantile(x, q, keepdim=True)", x="d(3, 4)", q="torch.tensor([0.1], dtype=torch.float64)"),
        S("torch.quantile(x, q)", x="f(3, 4)", q="torch.tensor([1.5])"),
        S("torch.quantile(x, q)", x="f(3, 4)", q="d(2)"),
        S("torch.quantile(x, q)", x="f(3, 4)", q="pos(2, 2)"),
    ],
    "quantile.out": [
        S("torch.quantile(x, q, 1, out=torch.empty(0))", x="f(3, 4)", q="torch.tensor([0.1, 0.5])"),
    ],
    "quantile.scalar": [
        S("torch.quantile(x, 0.3)", x="f(3, 4)"),
        S('torch.quantile(x, 0.3, 0, interpolation="lower")', x="f(3, 4)"),
        S('torch.quantile(x, 0.3, 0, interpolation="higher")', x="f(3, 4)"),
        S('torch.quantile(x, 0.3, 0, interpolation="midpoint")', x="f(3, 4)"),
        S('torch.quantile(x, 0.3, 0, interpolation="nearest")', x="f(3, 4)"),
        S('torch.quantile(x, 0.3, 0, interpolation="n")', x="f(3, 4)"),
        S("x.quantile(0.3)", x="f()"),
        S("torch.quantile(x, 0.5, 1)", x='torch.tensor([[1.0, float("nan"), 2.0], [1.0, 4.0, 2.0]])'),
        S("torch.quantile(x, 1.3)", x="f(3)"),
        S("torch.quantile(x, 0.5)", x="i(3)"),
        S("torch.quantile(x, 0.5)", x="torch.empty(0)"),
        S("torch.quantile(x, 0.5)", x="h(3)"),
    ],
    "quantile.scalar_out": [
        S("torch.quantile(x, 0.3, 1, out=torch.empty(0))", x="f(3, 4)"),
        S("torch.quantile(x, 0.3, 1, out=torch.empty(0).double())", x="f(3, 4)"),
    ],
    "nanquantile": [
        S('torch.nanquantile(x, q, 1, interpolation="lower")',
          x='torch.tensor([[1.0, float("nan"), 2.0], [1.0, 4.0, 2.0]])', q="torch.tensor([0.1, 0.5])"),
    ],
    "nanquantile.out": [
        S("torch.nanquantile(x, q, 1, out=torch.empty(0))", x="f(3, 4)", q="torch.tensor([0.1, 0.5])"),
    ],
    "nanquantile.scalar": [
        S("torch.nanquantile(x, 0.3)", x="f(3, 4)"),
        S("x.nanquantile(0.3, 1)",
          x='torch.tensor([[1.0, float("nan"), 2.0], [float("nan"), float("nan"), float("nan")]])'),
    ],
    "nanquantile.scalar_out": [
        S("torch.nanquantile(x, 0.3, 1, out=torch.empty(0))", x="f(3, 4)"),
    ],
}
