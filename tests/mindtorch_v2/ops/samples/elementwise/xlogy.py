"""Samples of ops/elementwise/xlogy.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "xlogy.Tensor": [S("torch.xlogy(x, y)", x="f(3, 4)", y="pos(4)"), S("torch.xlogy(x, y)", x="i(3)", y="i(3, "
                                                                                                         "low=1)")],
    "xlogy_.Tensor": [S("(x * 1).xlogy_(y)", x="f(3, 4)", y="pos(4)")],
    "xlogy.OutTensor": [S("torch.xlogy(x, y, out=z)", x="f(3, 4)", y="pos(4)", z="f(3, 4)")],
    "xlogy.Scalar_Self": [S("torch.xlogy(2.0, y)", y="pos(3, 4)")],
    "xlogy.Scalar_Other": [S("torch.xlogy(x, 2.0)", x="f(3, 4)")],
}
