"""Samples of ops/statistics/gradient.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "gradient.scalarint": [
        S("torch.gradient(x)", x="f(4, 5)"),
        S("torch.gradient(x, spacing=2.0, dim=0)", x="f(4, 5)"),
        S("torch.gradient(x, edge_order=2)", x="f(4, 5)"),
        S("torch.gradient(x)", x="i(4, 5)"),
        S("torch.gradient(x)", x="f()"),
        S("torch.gradient(x, edge_order=3)", x="f(4, 5)"),
        S("torch.gradient(x)", x="f(1)"),
        S("torch.gradient(x)", x="i(4).to(torch.uint8)"),
    ],
    "gradient.scalararray": [
        S("torch.gradient(x, spacing=2.0, dim=(1, 0))", x="f(4, 5)"),
    ],
    "gradient.array": [
        S("torch.gradient(x, dim=(0, 1))", x="f(4, 5)"),
        S("torch.gradient(x, dim=(0, 0))", x="f(4, 5)"),
    ],
    "gradient.scalarrayint": [
        S("torch.gradient(x, spacing=[2.0, 3.0])", x="f(4, 5)"),
        S("torch.gradient(x, spacing=[2.0])", x="f(4, 5)"),
    ],
    "gradient.scalarrayarray": [
        S("torch.gradient(x, spacing=[2.0, 3.0], dim=(1, 0))", x="f(4, 5)"),
        S("torch.gradient(x, spacing=[1.0, 2.0], dim=[0])", x="f(4, 5)"),
    ],
    "gradient.tensorarrayint": [
        S("torch.gradient(x, spacing=(a,), dim=0, edge_order=2)", x="f(4, 5)", a="torch.tensor([1.0, 2.0, 4.0, 7.0])"),
        S("torch.gradient(x, spacing=(a,), dim=0)", x="f(4, 5)", a="f(4, 1)"),
    ],
    "gradient.tensorarray": [
        S("torch.gradient(x, spacing=[a, b], dim=(0, 1))",
          x="f(4, 5)", a="torch.tensor([1.0, 2.0, 4.0, 7.0])", b="torch.tensor([1, 2, 4, 7, 8])"),
    ],
}
