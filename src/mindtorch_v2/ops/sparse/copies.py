"""Sparse tensors copied, cast, emptied and resized; what `empty` and its like make of them."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import sparse_coo, strided
from ...core.sparse import (
    SparseCompressed,
    SparseCoo,
    is_compressed,
    is_coo,
    is_sparse,
    on_coo,
    show,
)
from ...core.tensor import alias_of, ndim_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from .coordinates import empty_coo, no_elements, unsized_parts
from .parts import OF_SPARSE, nnz_of, refuse_backend, sparse_dim_of

OPTIONS = ("You could try the following options:\n1. If you need an empty sparse tensor of this size, call `x = "
           "torch.sparse_coo_tensor(size)`.\n2. If you need to resize this tensor, you have the following options:\n"
           "    1. For both sparse and dense dimensions, keep the number of them constant and the size of them "
           "non-shrinking, and then try the same call again.\n    2. Or, create a new sparse tensor with the correct "
           "indices and values from this sparse tensor.")


def copy_parts(into, source, dtype=None):
    """Copies of a tensor's coordinates and values as those of another; torch shows what it asks about both."""
    aten._values(into)
    aten._indices(into)
    values = aten.to(aten._values(source), dtype=dtype or source.dtype, layout=strided, copy=True)
    indices = aten.to(aten._indices(source), dtype=dtypes.int64, layout=strided, copy=True)
    kind = SparseCoo(indices, values, sparse_dim_of(source))
    show(into, kind, shape_of(source))
    return aten._coalesced_(into, aten.is_coalesced(source))


def dims(self) -> None:
    """torch asks for both numbers of dimensions."""
    aten.dense_dim(self)
    aten.sparse_dim(self)


@on_coo("clone")
def clone(self, memory_format):
    """A copy of coordinates and values."""
    dims(self)
    return copy_parts(empty_coo(shape_of(self), sparse_dim_of(self), self.dtype), self)


class CopySparse(Op):
    """Copies of another tensor's coordinates and values."""

    schema = "copy_sparse_to_sparse_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)"
    overlap = "expanded"
    of_kind, below = OF_SPARSE, "writes parts"

    def body(self, src, non_blocking):
        if self is src:
            return self
        dims(src)
        if shape_of(self) != shape_of(src):
            resized(self, shape_of(src), sparse_dim_of(src), ndim_of(src) - sparse_dim_of(src), keeps=False)
        return copy_parts(self, src, self.dtype)


@on_coo("copy_")
def copy_(self, src, non_blocking):
    """Coordinates and values of another tensor; dense and sparse are not mixed."""
    if is_coo(self) and is_coo(src):
        return aten.copy_sparse_to_sparse_(self, src, non_blocking)
    raise RuntimeError("copy_() between dense and sparse Tensors is not implemented! Found self type = "
                       f"{self.type()} and src type = {src.type()}")


@on_coo("_to_copy")
def to_copy(self, dtype, layout, device, pin_memory, non_blocking, memory_format):
    """A copy in another type."""
    if memory_format is not None and memory_format.name != "preserve_format":
        raise RuntimeError("to(options): COO only supports memory format Preserve, but got "
                           f"{_FORMATS[memory_format.name]} instead.")
    indices = aten._to_copy(aten._indices(self), dtype=dtypes.int64)
    values = aten._to_copy(aten._values(self), dtype=dtype or self.dtype)
    return aten._sparse_coo_tensor_unsafe(indices, values, shape_of(self), is_coalesced=aten.is_coalesced(self))


_FORMATS = {"contiguous_format": "Contiguous", "channels_last": "ChannelsLast", "channels_last_3d": "ChannelsLast3d"}


@on_coo("_detach", "alias")
def detach(self):
    """The same parts once more."""
    unsized_parts(self.dtype)
    kind, same = self._mt_kind, alias_of(self)
    same._mt_kind = SparseCoo(kind.indices, kind.values, kind.sparse_dim, kind.is_coalesced)
    return same


@on_coo("empty_like")
def empty_like(self, dtype, layout, device, pin_memory, memory_format):
    """A tensor of the same shape that keeps nothing."""
    if layout is strided:
        return aten.empty(shape_of(self), dtype=dtype or self.dtype, layout=strided)
    result = aten.empty(shape_of(self), dtype=dtype or self.dtype, layout=sparse_coo)
    dims(self)
    return aten.sparse_resize_and_clear_(result, shape_of(self), sparse_dim_of(self),
                                         ndim_of(self) - sparse_dim_of(self))


@on_coo("zeros_like")
def zeros_like(self, dtype, layout, device, pin_memory, memory_format):
    """A tensor of the same shape that keeps nothing, or zeros in another layout."""
    if layout is strided:
        return aten.zeros(shape_of(self), dtype=dtype or self.dtype)
    result = aten.empty((0,), dtype=dtype or self.dtype, layout=sparse_coo)
    dims(self)
    aten.sparse_resize_and_clear_(result, shape_of(self), sparse_dim_of(self), ndim_of(self) - sparse_dim_of(self))
    return aten._coalesced_(result, True)


@on_coo("zero_")
def zero_(self):
    """Nothing is kept any more."""
    dims(self)
    aten.sparse_resize_and_clear_(self, shape_of(self), sparse_dim_of(self), ndim_of(self) - sparse_dim_of(self))
    return aten._coalesced_(self, True)


@on_coo("new_empty")
def new_empty(self, size, dtype, layout, device, pin_memory):
    """A tensor of a shape that keeps nothing."""
    return aten.empty(size, dtype=dtype or self.dtype, layout=layout or sparse_coo)


@on_coo("new_zeros")
def new_zeros(self, size, dtype, layout, device, pin_memory):
    """The same; it is zero."""
    return aten.zero_(new_empty(self, size, dtype, layout, device, pin_memory))


class ResizeAndClear(Op):
    """Another shape, and nothing is kept."""

    schema = "sparse_resize_and_clear_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> Tensor(a!)"
    overlap = "expanded"
    variants = "method"
    of_kind, below = OF_SPARSE, "writes parts"

    def body(self, size, sparse_dim, dense_dim):
        _check_dims(self, "sparse_resize_and_clear_", size, sparse_dim, dense_dim)
        indices, values = no_elements(sparse_dim, size[sparse_dim:], self.dtype)
        return show(self, SparseCoo(indices, values, sparse_dim, is_coalesced=True), size)


def _check_dims(self, name: str, size, sparse_dim: int, dense_dim: int) -> None:
    if not is_coo(self):
        refuse_backend(name, self)
    if sparse_dim + dense_dim != len(size):
        raise RuntimeError(f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, "
                           f"sparse_dim = {sparse_dim}, dense_dim = {dense_dim}")


class SparseResize(Op):
    """Another shape; what is kept stays, so dimensions may only grow."""

    schema = "sparse_resize_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> Tensor(a!)"
    overlap = "expanded"
    variants = "method"
    of_kind, below = OF_SPARSE, "writes parts"

    def body(self, size, sparse_dim, dense_dim):
        _check_dims(self, "sparse_resize_", size, sparse_dim, dense_dim)
        return resized(self, size, sparse_dim, dense_dim)


def resized(self, size, sparse_dim: int, dense_dim: int, keeps: bool = True):
    """The tensor in another shape: its parts are resized in place."""
    kind = self._mt_kind
    nnz = nnz_of(self)
    if nnz and keeps:
        _refuse_loss(shape_of(self), size, kind.sparse_dim, sparse_dim, dense_dim)
    if tuple(size) == shape_of(self) and sparse_dim == kind.sparse_dim:
        return self
    indices = aten.resize_(kind.indices, (sparse_dim, nnz))
    values = aten.resize_(kind.values, (nnz, *size[sparse_dim:]))
    return show(self, SparseCoo(indices, values, sparse_dim, kind.is_coalesced), size)


def _refuse_loss(shape, size, had: int, sparse_dim: int, dense_dim: int) -> None:
    """Refuse what would leave elements behind."""
    for name, before, after in (("sparse", had, sparse_dim), ("dense", len(shape) - had, dense_dim)):
        if before != after:
            raise RuntimeError(f"changing the number of {name} dimensions (from {before} to {after}) on a non-empty "
                               f"sparse tensor is not supported.\n{OPTIONS}")
    for name, before, after in (("sparse", shape[:had], size[:had]), ("dense", shape[had:], size[had:])):
        if any(new < old for old, new in zip(before, after)):
            raise RuntimeError(f"shrinking the size of {name} dimensions (from {list(before)} to {list(after)}) on a "
                               f"non-empty sparse tensor is not supported.\n{OPTIONS}")


class ResizeAsSparse(Op):
    """The shape of another sparse tensor."""

    schema = "resize_as_sparse_(Tensor(a!) self, Tensor the_template) -> Tensor(a!)"
    overlap = "expanded"
    variants = "method"
    of_kind, below = OF_SPARSE, "writes parts"

    def body(self, the_template):
        if not is_sparse(self):
            refuse_backend("resize_as_sparse_", self)
        if is_compressed(self):
            kind = the_template._mt_kind
            return show(self, SparseCompressed(kind.layout, *[aten.clone(part) for part in kind.parts]),
                        shape_of(the_template))
        return resize_as(self, the_template)


@on_coo("resize_as_")
def resize_as(self, the_template, memory_format=None):
    """The shape of another sparse tensor; torch asks how many dimensions of each kind both have."""
    sparse_dim = aten.sparse_dim(the_template)
    if aten.sparse_dim(self) == sparse_dim and aten.dense_dim(self) == aten.dense_dim(the_template) \
            and shape_of(self) == shape_of(the_template):
        return self
    dense_dim = aten.dense_dim(the_template)
    aten.sparse_dim(the_template)
    return resized(self, shape_of(the_template), sparse_dim, dense_dim)

