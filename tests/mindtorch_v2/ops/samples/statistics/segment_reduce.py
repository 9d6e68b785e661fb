"""Samples of ops/statistics/segment_reduce.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "segment_reduce": [
        S('torch.segment_reduce(x, "sum", lengths=y)', x="f(6, 2)", y="torch.tensor([2, 4])"),
        S('torch.segment_reduce(x, "mean", lengths=y)', x="f(6)", y="torch.tensor([2, 4, 0])"),
        S('torch.segment_reduce(x, "max", lengths=y, initial=1.0)', x="f(6)", y="torch.tensor([2, 4, 0])"),
        S('torch.segment_reduce(x, "min", offsets=y)', x="f(6)", y="torch.tensor([0, 2, 6])"),
        S('torch.segment_reduce(x, "prod", lengths=y, unsafe=True)',
          x="torch.tensor([1.0, 0.0, 3.0, 2.0, 4.0, 5.0])", y="torch.tensor([3, 3])"),
        S('torch.segment_reduce(x, "sum", lengths=y, axis=1)', x="f(2, 6)", y="torch.tensor([[2, 4], [3, 3]])"),
        S('torch.segment_reduce(x, "mean", lengths=y, initial=3.0)', x="f(6)", y="torch.tensor([2, 4, 0])"),
        S('torch.segment_reduce(x, "sum", lengths=y)', x="h(6)", y="torch.tensor([2, 4])"),
        S('torch.segment_reduce(x, "sum", lengths=y)', x="f(6)", y="torch.tensor([2, 3])"),
        S('torch.segment_reduce(x, "sum", lengths=y)', x="f(6)", y="torch.tensor([-2, 8])"),
        S('torch.segment_reduce(x, "sum")', x="f(6)"),
        S('torch.segment_reduce(x, "some", lengths=y)', x="f(6)", y="torch.tensor([2, 4])"),
        S('torch.segment_reduce(x, "sum", lengths=y, indices=y)', x="f(6)", y="torch.tensor([2, 4])"),
        S('torch.segment_reduce(x, "sum", lengths=y)', x="i(6)", y="torch.tensor([2, 4])"),
    ],
    "_segment_reduce_backward": [
        S('torch.ops.aten._segment_reduce_backward(g, o, x, "sum", lengths=y)',
          g="torch.ones(2)", o="torch.ones(2)", x="i(6).float()", y="torch.tensor([2, 4])"),
    ],
}
