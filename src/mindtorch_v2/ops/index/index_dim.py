"""Slices of one dimension by their indices: filled, copied, added; and elements by their number in the whole tensor."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.tensor import blank, new_tensor
from ...devices.cpu.errstate import silent
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.scalars import converted
from ..shared.layout import in_order
from ..view.view import strided


def _places(self, dim: int, index, caller: str, lowest: int | None = None):
    """Indices of slices, counted from the front or, unless a lowest is given, from the back."""
    size = self._mt_array.shape[dim] if self.dim() else 1
    places = index._mt_array.reshape(-1)
    bad = (places < (-size if lowest is None else lowest)) | (places >= size)
    if bad.any():
        raise IndexError(f"{caller}index {places[bad][0]} is out of bounds for dimension {dim} with size {size}")
    return places


def _slices(self, dim: int, places):
    """A key that names slices of one dimension; a scalar is its own only slice."""
    return (slice(None),) * dim + (places,) if self.dim() else ...


def _walked(self, dim: int, index) -> None:
    """torch walks index and tensor side by side, as views of one rank."""
    shape, strides = self._mt_array.shape or (1,), self.stride() or (1,)
    step = index.stride()[0] if index.dim() else 1
    count = index.numel()
    strided(index, tuple([count if d == dim else 1 for d in range(len(shape))]),
            tuple([step if d == dim else 0 for d in range(len(shape))]))
    strided(self, tuple([1 if d == dim else n for d, n in enumerate(shape)]),
            tuple([0 if d == dim else s for d, s in enumerate(strides)]))


def _each_once(index):
    """Indices without repetitions: a slice that is filled twice shows the value once."""
    return new_tensor(np.unique(index._mt_array), index.dtype)


def _all_but_slices(grad, dim, index):
    return aten.index_fill(grad, dim, index, 0)


class IndexFillTensor(Op):
    """The value of a tensor in the named slices."""

    schema = "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor"
    overlap = "expanded shares_inputs"
    variants = "method inplace"
    node = "IndexFillBackward1"
    grad_self = _all_but_slices

    def body(self, dim, index, value):
        return aten.index_fill_(aten.clone(self), dim, index, value)

    def inplace(self, dim, index, value):
        if value.dim():
            raise RuntimeError("index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                               f"{value.dim()} dimension(s).")
        return aten.index_fill_(self, dim, index, aten.item(value))

    def grad_value(grad, dim, index):
        return aten.sum(aten.index_select(grad, dim, _each_once(index)))


class IndexFill(Op):
    """A number in the named slices."""

    schema = "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"
    overlap = "expanded_warns spares_inputs"
    variants = "method inplace"
    grad_self = _all_but_slices

    def body(self, dim, index, value):
        return aten.index_fill_(aten.clone(self), dim, index, value)

    def inplace(self, dim, index, value):
        dim = wrap_dim(dim, self.dim())
        if index.dtype is not dtypes.int64:
            raise IndexError("index_fill_(): Expected dtype int64 for index.")
        if index.dim() > 1:
            raise IndexError("Index has to be a vector/scalar")
        if isinstance(value, complex) and not self.dtype.is_complex:
            raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
        if index.numel():
            _walked(self, dim, index)
        if index.numel() and self.numel():
            self._mt_array[_slices(self, dim, _places(self, dim, index, ""))] = converted(value, self.dtype)
        return self


def _copyable(self, dim, index, source) -> None:
    dim = wrap_dim(dim, self.dim())
    if index.dim() > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.dim()})")
    if not source.dim() and index.numel() != 1:
        raise IndexError(f"index_copy_(): When source is scalar, index should have one element (got {index.numel()})")
    if self.dim() and source.dim() and self.dim() != source.dim():
        raise IndexError("index_copy_(): When source and destination are not scalars, their dimensionality must match. "
                         f"Source dimensionality ({source.dim()}), destination dimensionality ({self.dim()})")
    if index.dtype is not dtypes.int64:
        raise RuntimeError("index_copy_(): Expected a long tensor for index, but got " + index.dtype.short)
    if self.dtype is not source.dtype:
        raise RuntimeError("index_copy_(): self and source expected to have the same dtype, but got (self) "
                           f"{self.dtype.short} and (source) {source.dtype.short}")
    _same_slices(self, dim, source)
    if source.dim() and index.numel() != source._mt_array.shape[dim]:
        raise IndexError(f"index_copy_(): Number of indices ({index.numel()}) should be equal to source.size(dim) "
                         f"({source._mt_array.shape[dim]})")


def _same_slices(self, dim: int, source) -> None:
    into, given = [shape[:dim] + shape[dim + 1:] for shape in (self._mt_array.shape, source._mt_array.shape)]
    if into != given:
        words = [" ".join(map(str, shape)) for shape in (into, given)]
        raise RuntimeError("index_copy_(): Source/destination tensor must have same slice shapes. Destination slice "
                           f"shape: {words[0]} at dimension {dim} and source slice shape: {words[1]} at dimension 0.")


def _copy_slices(self, dim: int, index, source):
    dim = wrap_dim(dim, self.dim())
    _walked(self, dim, index)
    if self.numel() and source.numel():
        self._mt_array[_slices(self, dim, _places(self, dim, index, "index_copy_(): ", 0))] = source._mt_array
    return self


def _copy_of(self):
    return aten.copy_(blank(self._mt_array.shape, self.dtype), self)


def _slices_like(grad, dim, index, source):
    return aten.expand_as(aten.index_select(grad, dim, index), source)


class IndexCopy(Op):
    """The slices of a source in place of the named ones."""

    schema = "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor"
    overlap = "spares_inputs"
    variants = "method inplace"
    meta = _copyable
    inplace = _copy_slices
    grad_self, grad_source = _all_but_slices, _slices_like

    def body(self, dim, index, source):
        return _copy_slices(_copy_of(self), dim, index, source)


def _addable(self, dim, index, source, alpha) -> None:
    dim = wrap_dim(dim, self.dim())
    if index.dim() > 1:
        raise IndexError(f"index_add_(): Index is supposed to be a vector, but got dim: {index.dim()} with type: "
                         f"{index.dtype.short} and size: {list(index._mt_array.shape)}")
    if index.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError("index_add_(): Expected dtype int32/int64 for index but got: " + index.dtype.short)
    if self.dtype is not source.dtype:
        raise RuntimeError(f"index_add_(): self ({self.dtype.short}) and source ({source.dtype.short}) must have the "
                           "same scalar type")
    if source.dim() and dim >= source.dim():
        raise RuntimeError(f"index_add_(): Indexing dim {dim} is out of bounds of the source tensor with dim "
                           f"{source.dim()}")
    have = source._mt_array.shape[dim] if source.dim() else 1
    if index.numel() != have:
        raise RuntimeError(f"index_add_(): Number of indices ({index.numel()}) should be equal to source.size(dim): "
                           f"({have}), for dim: {dim}")
    into, given = self._mt_array.shape, source._mt_array.shape
    if len(into) != len(given) or any([d != dim and n != given[d] for d, n in enumerate(into)]):
        raise RuntimeError("source tensor shape must match self tensor shape, excluding the specified dimension. Got "
                           f"self.shape = {list(into)} source.shape = {list(given)}")


@silent
def _add_slices(self, dim: int, index, source, alpha):
    """torch's three ways: the outermost or innermost slices through scatter_add_, others, or single elements."""
    dim = wrap_dim(dim, self.dim())
    if dim in (0, self.dim() - 1) and self.dim() > 1 and alpha == 1 and index.dtype is dtypes.int64 and index.dim():
        index = in_order(index)
        steps = [0] * source.dim()
        steps[dim] = index.stride()[0]
        return aten.scatter_add_(self, dim, strided(index, source._mt_array.shape, tuple(steps)), source)
    if self.dim() > 1 and index.numel():
        aten.select(self, dim, 0)
        aten.select(source, dim, 0)
    size = self._mt_array.shape[dim] if self.dim() else 1
    places = index._mt_array.reshape(-1)
    bad = (places < 0) | (places >= size)
    if bad.any():
        raise IndexError("index out of range in self")
    values = source._mt_array if alpha == 1 else source._mt_array * self._mt_array.dtype.type(alpha)
    np.add.at(self._mt_array, _slices(self, dim, places), values)
    return self


class IndexAdd(Op):
    """The slices of a source added to the named ones."""

    schema = "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor"
    overlap = "spares_inputs"
    variants = "method inplace"
    meta = _addable
    inplace = _add_slices

    def body(self, dim, index, source, alpha):
        return _add_slices(_copy_of(self), dim, index, source, alpha)

    def grad_self(grad):
        return grad

    def grad_source(grad, dim, index, source, alpha):
        found = _slices_like(grad, dim, index, source)
        return found if alpha == 1 else aten.mul(found, alpha)


def _flat_places(self, index):
    count = self.numel()
    places = index._mt_array
    bad = (places < -count) | (places >= count)
    if bad.any():
        raise IndexError(f"out of range: tried to access index {places[bad].flat[0]} on a tensor of {count} elements.")
    return places


def _long_index(name: str, index) -> None:
    if index.dtype is not dtypes.int64:
        raise RuntimeError(f"{name}(): Expected a long tensor for index, but got {index.dtype.short}")


class Take(Op):
    """Elements by their number in the tensor read row by row."""

    schema = "take(Tensor self, Tensor index) -> Tensor"
    variants = "method"

    def body(self, index):
        _long_index("take", index)
        if not self.numel() and index.numel():
            raise IndexError("take(): tried to take from an empty tensor")
        out = aten.empty(index._mt_array.shape, dtype=self.dtype)
        np.copyto(out._mt_array, self._mt_array.reshape(-1)[_flat_places(self, index)])
        return out

    def grad_self(grad, self, index):
        return aten.put_(aten.zeros_like(self), index, grad, True)


class Put(Op):
    """Elements written by their number in the tensor read row by row."""

    schema = "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor"
    overlap = "spares_inputs"
    variants = "method inplace"

    def body(self, index, source, accumulate):
        return aten.put_(aten.clone(self), index, source, accumulate)

    @silent
    def inplace(self, index, source, accumulate):
        _long_index("put_", index)
        if self.dtype is not source.dtype:
            raise RuntimeError("put_(): self and source expected to have the same dtype, but got self.dtype = "
                               f"{self.dtype.short} and source.dtype = {source.dtype.short}")
        if source.numel() != index.numel():
            raise IndexError("put_(): Expected source and index to have the same number of elements, but got "
                             f"source.numel() = {source.numel()}, index.numel() = {index.numel()}")
        index = aten.reshape(index, source._mt_array.shape)
        places = np.unravel_index(_flat_places(self, index) % max(self.numel(), 1), self._mt_array.shape or (1,))
        values = source._mt_array
        written = np.atleast_1d(self._mt_array)
        if accumulate:
            np.add.at(written, places, values)
        else:
            written[places] = values
        return self

    def grad_self(grad, index, source, accumulate):
        return grad if accumulate else aten.put(grad, index, aten.zeros_like(source), False)

    def grad_source(grad, index, source):
        return aten.reshape(aten.take(grad, index), source._mt_array.shape)
