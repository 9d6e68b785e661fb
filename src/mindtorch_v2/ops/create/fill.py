# cython: annotation_typing=False
"""Every element made the one value of another tensor: what ``x[0] = 1`` runs."""

from __future__ import annotations

from ...dispatch.aten import aten
from ...opdef.form import Op


def _one_value(self, value) -> None:
    if value.dim():
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.dim()} "
                           "dimensions.")


class FillTensor(Op):
    """Every element becomes a tensor's only value."""

    schema = "fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)"
    overlap = "shares_inputs"
    meta = _one_value
    node = "FillBackward3"
    variants = "method"

    def body(self, value):
        shared = value._mt_storage is self._mt_storage  # x.fill_(x[0]) reads before it writes
        return aten.copy_(self, aten.clone(value) if shared else value)

    def grad_self(grad):
        return aten.zeros_like(grad)

    def grad_value(grad):
        return aten.sum(grad)
