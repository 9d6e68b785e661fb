# cython: annotation_typing=False
"""Slices of one dimension by their indices: filled, copied, added; and elements by their number in the whole tensor."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.geometry import wrap_dim
from ...core.kinds import holds_many
from ...core.tensor import ndim_of, numel_of, shape_of, strides_of
from ...devices.kernel import ask, result_of, run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ...opdef.scalars import converted
from ..shared.layout import in_order
from ..shared.values import number_in
from ..view.view import strided


def _walked(self, dim: int, index) -> None:
    """torch walks index and tensor side by side, as views of one rank."""
    shape, strides = shape_of(self) or (1,), strides_of(self) or (1,)
    step = strides_of(index)[0] if ndim_of(index) else 1
    count = numel_of(index)
    strided(index, tuple([count if d == dim else 1 for d in range(len(shape))]),
            tuple([step if d == dim else 0 for d in range(len(shape))]))
    strided(self, tuple([1 if d == dim else n for d, n in enumerate(shape)]),
            tuple([0 if d == dim else s for d, s in enumerate(strides)]))


def _each_once(index):
    """Indices without repetitions: a slice that is filled twice shows the value once."""
    return result_of(ask.distinct(index), index.dtype)


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
        if ndim_of(value):
            raise RuntimeError("index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                               f"{ndim_of(value)} dimension(s).")
        return aten.index_fill_(self, dim, index, number_in(value))

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
        dim = wrap_dim(dim, ndim_of(self))
        if index.dtype is not dtypes.int64:
            raise IndexError("index_fill_(): Expected dtype int64 for index.")
        if ndim_of(index) > 1:
            raise IndexError("Index has to be a vector/scalar")
        if isinstance(value, complex) and not self.dtype.is_complex:
            raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
        if numel_of(index):
            _walked(self, dim, index)
        if numel_of(index) and numel_of(self):
            run.fill_slices(self, index, converted(value, self.dtype), dim)
        return self


def _copyable(self, dim, index, source) -> Spec:
    dim = wrap_dim(dim, ndim_of(self))
    if ndim_of(index) > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {ndim_of(index)})")
    if not ndim_of(source) and numel_of(index) != 1:
        raise IndexError(f"index_copy_(): When source is scalar, index should have one element (got {numel_of(index)})")
    if ndim_of(self) and ndim_of(source) and ndim_of(self) != ndim_of(source):
        raise IndexError("index_copy_(): When source and destination are not scalars, their dimensionality must match. "
                         f"Source dimensionality ({ndim_of(source)}), destination dimensionality ({ndim_of(self)})")
    if index.dtype is not dtypes.int64:
        raise RuntimeError("index_copy_(): Expected a long tensor for index, but got " + index.dtype.short)
    if self.dtype is not source.dtype:
        raise RuntimeError("index_copy_(): self and source expected to have the same dtype, but got (self) "
                           f"{self.dtype.short} and (source) {source.dtype.short}")
    _same_slices(self, dim, source)
    if ndim_of(source) and numel_of(index) != shape_of(source)[dim]:
        raise IndexError(f"index_copy_(): Number of indices ({numel_of(index)}) should be equal to source.size(dim) "
                         f"({shape_of(source)[dim]})")
    return Spec(shape_of(self), self.dtype)


def _same_slices(self, dim: int, source) -> None:
    into, given = [shape[:dim] + shape[dim + 1:] for shape in (shape_of(self), shape_of(source))]
    if into != given:
        words = [" ".join(map(str, shape)) for shape in (into, given)]
        raise RuntimeError("index_copy_(): Source/destination tensor must have same slice shapes. Destination slice "
                           f"shape: {words[0]} at dimension {dim} and source slice shape: {words[1]} at dimension 0.")


def _slices_like(grad, dim, index, source):
    return aten.expand_as(aten.index_select(grad, dim, index), source)


class IndexCopy(Op):
    """The slices of a source in place of the named ones."""

    schema = "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor"
    overlap = "spares_inputs"
    variants = "method inplace out"
    meta = _copyable
    grad_self, grad_source = _all_but_slices, _slices_like

    def into(out, self, dim, index, source):
        if out is not self:
            aten.copy_(out, self)
        dim = wrap_dim(dim, ndim_of(out))
        if numel_of(out):
            _walked(out, dim, index)
        if numel_of(out) and numel_of(source):
            run.copy_slices(out, index, source, dim)


def _addable(self, dim, index, source, alpha) -> Spec:
    check_slices("index_add_", self, dim, index, source)
    return Spec(shape_of(self), self.dtype)


def check_slices(name: str, self, dim: int, index, source) -> None:
    """Refuse a source whose slices do not go with an index."""
    dim = wrap_dim(dim, ndim_of(self))
    if ndim_of(index) > 1:
        raise IndexError(f"{name}(): Index is supposed to be a vector, but got dim: {ndim_of(index)} with type: "
                         f"{index.dtype.short} and size: {list(shape_of(index))}")
    if index.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index but got: " + index.dtype.short)
    if self.dtype is not source.dtype:
        raise RuntimeError(f"{name}(): self ({self.dtype.short}) and source ({source.dtype.short}) must have the "
                           "same scalar type")
    if ndim_of(source) and dim >= ndim_of(source):
        raise RuntimeError(f"{name}(): Indexing dim {dim} is out of bounds of the source tensor with dim "
                           f"{ndim_of(source)}")
    have = shape_of(source)[dim] if ndim_of(source) else 1
    if numel_of(index) != have:
        raise RuntimeError(f"{name}(): Number of indices ({numel_of(index)}) should be equal to source.size(dim): "
                           f"({have}), for dim: {dim}")
    into, given = shape_of(self), shape_of(source)
    if len(into) != len(given) or any([d != dim and n != given[d] for d, n in enumerate(into)]):
        raise RuntimeError("source tensor shape must match self tensor shape, excluding the specified dimension. Got "
                           f"self.shape = {list(into)} source.shape = {list(given)}")


class IndexAdd(Op):
    """The slices of a source added to the named ones."""

    schema = "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor"
    overlap = "spares_inputs"
    variants = "method inplace out"
    meta = _addable

    def into(out, self, dim, index, source, alpha):
        """torch's three ways: the outermost or innermost slices through scatter_add_, others, or single elements."""
        if out is not self:
            aten.copy_(out, self)
        ndim, dim = ndim_of(out), wrap_dim(dim, ndim_of(out))
        index = in_order(index)
        if dim in (0, ndim - 1) and ndim > 1 and alpha == 1 and index.dtype is dtypes.int64:
            steps = [0] * ndim
            steps[dim] = strides_of(index)[0] if ndim_of(index) else 1
            aten.scatter_add_(out, dim, strided(index, shape_of(source), tuple(steps)), source)
            return
        if ndim > 1 and numel_of(index):
            aten.select(out, dim, 0)
            aten.select(source, dim, 0)
        run.add_slices(out, index, source, dim, alpha)

    def grad_self(grad):
        return grad

    def grad_source(grad, dim, index, source, alpha):
        slices = _slices_like(grad, dim, index, source)
        return slices if alpha == 1 else aten.mul(slices, alpha)


def _long_index(name: str, index) -> None:
    if index.dtype is not dtypes.int64:
        raise RuntimeError(f"{name}(): Expected a long tensor for index, but got {index.dtype.short}")


class Take(Op):
    """Elements by their number in the tensor read row by row."""

    schema = "take(Tensor self, Tensor index) -> Tensor"
    variants = "method out"
    overlap = "spares_inputs"
    out_words = ("take(): self and out expected to have the same dtype, but got self.dtype = {wanted.short} and "
                 "out.dtype = {given.short}")

    def meta(self, index):
        _long_index("take", index)
        if not numel_of(self) and numel_of(index):
            raise IndexError("take(): tried to take from an empty tensor")
        return Spec(shape_of(index), self.dtype)

    def body(self, index):
        spec = Take.meta(self, index)
        out = aten.empty(spec.shape, dtype=spec.dtype)
        run.take(out, self, index)
        return out

    def into(out, self, index):
        run.take(out, self, index)

    def grad_self(grad, self, index):
        put = aten.put if holds_many(grad, index) else aten.put_
        return put(aten.zeros_like(self), index, grad, True)


class Put(Op):
    """Elements written by their number in the tensor read row by row."""

    schema = "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor"
    overlap = "spares_inputs"
    variants = "method inplace"

    def body(self, index, source, accumulate):
        return aten.put_(aten.clone(self), index, source, accumulate)

    def inplace(self, index, source, accumulate):
        _long_index("put_", index)
        if self.dtype is not source.dtype:
            raise RuntimeError("put_(): self and source expected to have the same dtype, but got self.dtype = "
                               f"{self.dtype.short} and source.dtype = {source.dtype.short}")
        if numel_of(source) != numel_of(index):
            raise IndexError("put_(): Expected source and index to have the same number of elements, but got "
                             f"numel_of(source) = {numel_of(source)}, numel_of(index) = {numel_of(index)}")
        run.put(self, aten.reshape(index, shape_of(source)), source, accumulate)
        return self

    def grad_self(grad, index, source, accumulate):
        return grad if accumulate else aten.put(grad, index, aten.zeros_like(source), False)

    def grad_source(grad, index, source):
        return aten.reshape(aten.take(grad, index), shape_of(source))
