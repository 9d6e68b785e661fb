"""Indexing whose indices are known to be right, or are made so: what torch's compiler asks for."""

from __future__ import annotations

from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op

_ONLY = "torch.ops.aten"


class UnsafeIndex(Op):
    """The same as index."""

    schema = "_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"
    internal = _ONLY

    def body(self, indices):
        return aten.index(self, indices)

    def grad_self(grad, self_shape, indices):
        return aten._unsafe_index_put(aten.new_zeros(grad, self_shape), indices, grad, True)


class UnsafeIndexPut(Op):
    """The same as index_put."""

    schema = "_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor"
    internal = _ONLY

    def body(self, indices, values, accumulate):
        return aten.index_put(self, indices, values, accumulate)

    def grad_self(grad, indices, values_shape, accumulate):
        if accumulate:
            return grad
        return aten._unsafe_index_put(grad, indices, aten.zeros(values_shape, dtype=grad.dtype), False)

    def grad_values(grad, indices):
        return aten._unsafe_index(grad, indices)


def _inside(self, indices):
    """Indices brought within the tensor."""
    return [None if index is None else aten.clamp(index, 0, size - 1) for index, size in zip(indices, shape_of(self))]


class UnsafeMaskedIndex(Op):
    """The elements at some indices, and a number where a mask is off; there indices may be beyond the tensor."""

    schema = "_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor"
    internal = _ONLY

    def body(self, mask, indices, fill):
        picked = aten._unsafe_index(self, _inside(self, indices))
        return aten.masked_fill(picked, aten.logical_not(mask), fill)

    def grad_self(grad, self_shape, mask, indices):
        return aten._unsafe_masked_index_put_accumulate(aten.new_zeros(grad, self_shape), mask, indices, grad)


class UnsafeMaskedIndexPutAccumulate(Op):
    """Values added at some indices where a mask is on."""

    schema = ("_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) "
              "-> Tensor")
    internal = _ONLY

    def body(self, mask, indices, values):
        places = _inside(self, indices)
        return aten._unsafe_index_put(self, places, aten.masked_fill(values, aten.logical_not(mask), 0), True)

    def grad_self(grad):
        return grad

    def grad_values(grad, mask, indices):
        return aten._unsafe_masked_index(grad, mask, indices, 0)
