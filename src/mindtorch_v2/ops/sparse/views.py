"""Sparse tensors in other shapes, in part, and joined: torch calls some of these views, but all are new tensors."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.sparse import SparseCoo, is_coo, on_coo, show
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import ask, result_of
from ...dispatch.aten import aten
from .parts import nnz_of, sparse_dim_of


def _with_parts(sparse_dim: int, size, indices, values, is_coalesced=None):
    return aten._sparse_coo_tensor_with_dims_and_tensors(sparse_dim, ndim_of(values) - 1, tuple(size), indices, values,
                                                         is_coalesced=is_coalesced)


@on_coo("t")
def t(self):
    """The transpose of a matrix."""
    sparse_dim, dense_dim = aten.sparse_dim(self), aten.dense_dim(self)
    if sparse_dim > 2 or dense_dim:
        raise RuntimeError(f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {sparse_dim} sparse "
                           f"and {dense_dim} dense dimensions")
    return aten.transpose(self, 0, 0 if ndim_of(self) < 2 else 1)


@on_coo("transpose.int")
def transpose(self, dim0, dim1):
    """Two dimensions swapped, of a copy."""
    first, second = wrap_dim(dim0, ndim_of(self)), wrap_dim(dim1, ndim_of(self))
    if first == second:
        return aten.clone(self)
    return _swap(aten.clone(self), first, second)


@on_coo("transpose_")
def transpose_(self, dim0, dim1):
    """Two dimensions swapped in place."""
    first, second = wrap_dim(dim0, ndim_of(self)), wrap_dim(dim1, ndim_of(self))
    return self if first == second else _swap(self, first, second)


@on_coo("t_")
def t_(self):
    """The transpose in place."""
    return aten.transpose_(self, 0, 0 if ndim_of(self) < 2 else 1)


def _swap(self, first: int, second: int):
    sparse_dim = aten.sparse_dim(self)
    shape = list(shape_of(self))
    if max(first, second) >= sparse_dim:
        raise RuntimeError(f"sparse transpose: transposed dimensions must be sparse Got sparse_dim: {sparse_dim}, d0: "
                           f"{first}, d1: {second}")
    both = aten._indices(self), aten._indices(self)
    rows = [aten.select(indices, 0, d) for indices, d in zip(both, (first, second))]
    kept = aten.zeros_like(rows[0], memory_format=contiguous_format)
    aten.copy_(kept, rows[0])
    aten.copy_(rows[0], rows[1])
    aten.copy_(rows[1], kept)
    aten._coalesced_(self, False)
    aten._values(self)
    aten._indices(self)
    shape[first], shape[second] = shape[second], shape[first]
    kind = self._mt_kind
    return show(self, SparseCoo(kind.indices, kind.values, sparse_dim, nnz_of(self) < 2), shape)


@on_coo("permute")
def permute(self, dims):
    """All dimensions in another order; those of coordinates stay before those of values."""
    ndim = ndim_of(self)
    if len(dims) != ndim:
        raise RuntimeError("permute(sparse_coo): number of dimensions in the tensor input does not match the length of "
                           f"the desired ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = "
                           f"{len(dims)}")
    order = [wrap_dim(d, ndim) for d in dims]
    if len(set(order)) != ndim:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    sparse_dim = aten.sparse_dim(self)
    aten.dense_dim(self)
    if sorted(order[:sparse_dim]) != list(range(sparse_dim)):
        raise RuntimeError(f"transpositions between sparse and dense dimensions are not allowed.Got {order}")
    indices, values = aten._indices(self), aten._values(self)
    if order[:sparse_dim] != list(range(sparse_dim)):
        places = aten.empty((sparse_dim,), dtype=dtypes.int64)
        for i, d in enumerate(order[:sparse_dim]):
            aten.fill_(aten.select(places, 0, i), d)
        indices = aten.index_select(indices, 0, places)
    if order[sparse_dim:] != list(range(sparse_dim, ndim)):
        values = aten.permute(values, (0, *[d - sparse_dim + 1 for d in order[sparse_dim:]]))
    keeps_order = order[:1] == [0] and order[:sparse_dim] == list(range(sparse_dim))
    is_coalesced = aten.is_coalesced(self) and keeps_order
    return _with_parts(sparse_dim, [shape_of(self)[d] for d in order], indices, values, is_coalesced)


@on_coo("unsqueeze")
def unsqueeze(self, dim):
    """One more dimension of size 1."""
    at = wrap_dim(dim, ndim_of(self) + 1)
    sparse_dim = aten.sparse_dim(self)
    aten.dense_dim(self)
    indices = aten._indices(self)
    size = (*shape_of(self)[:at], 1, *shape_of(self)[at:])
    if at > sparse_dim:
        return _with_parts(sparse_dim, size, indices, aten.unsqueeze(aten._values(self), at - sparse_dim + 1))
    indices = aten.cat([aten.narrow(indices, 0, 0, at), aten.zeros((1, shape_of(indices)[1]), dtype=indices.dtype),
                        aten.narrow(indices, 0, at, sparse_dim - at)], 0)
    return _with_parts(sparse_dim + 1, size, indices, aten._values(self))


@on_coo("select.int")
def select(self, dim, index):
    """One slice along a dimension."""
    ndim = ndim_of(self)
    if not ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, ndim)
    size = shape_of(self)[dim]
    if not -size <= index < size:
        raise IndexError(f"select(): index {index} out of range for tensor of size {list(shape_of(self))} at dimension "
                         f"{dim}")
    index = index % size if size else index
    sparse_dim = aten.sparse_dim(self)
    aten.dense_dim(self)
    indices, values = aten._indices(self), aten._values(self)
    shape = shape_of(self)[:dim] + shape_of(self)[dim + 1:]
    if dim >= sparse_dim:
        return _with_parts(sparse_dim, shape, indices, aten.select(values, dim - sparse_dim + 1, index))
    places = _places_of(aten.eq(aten.select(indices, 0, dim), index))
    values = aten.index_select(values, 0, places)
    if sparse_dim == 1:
        return aten.select(values, 0, 0) if numel_of(places) == 1 else aten.sum(values, (0,))
    rows = aten.arange(0, sparse_dim, 1, out=aten.empty((0,), dtype=dtypes.int64))
    rows = _places_of(aten.ne(rows, dim))
    indices = aten.index_select(aten.index_select(indices, 1, places), 0, rows)
    return _with_parts(sparse_dim - 1, shape, indices, values)


def _places_of(mask):
    """Where a mask is true."""
    return aten.view(aten.nonzero(mask), (-1,))


@on_coo("unbind.int")
def unbind(self, dim):
    """All slices along a dimension."""
    dim = wrap_dim(dim, ndim_of(self))
    return [aten.select(self, dim, i) for i in range(shape_of(self)[dim])]


@on_coo("index_select")
def index_select(self, dim, index):
    """Slices along a dimension, as many and in the order that an index names."""
    dim = wrap_dim(dim, ndim_of(self))
    if ndim_of(index) != 1 or index.dtype is not dtypes.int64:
        raise IndexError("index_select() argument index must be 1-D long-tensor.")
    sparse_dim = aten.sparse_dim(self)
    aten.dense_dim(self)
    indices, values = aten._indices(self), aten._values(self)
    shape, count = shape_of(self), numel_of(index)
    size = (*shape[:dim], count, *shape[dim + 1:])
    if dim >= sparse_dim:
        return _with_parts(sparse_dim, size, indices, aten.index_select(values, dim - sparse_dim + 1, index))
    for place in ask.tolist(index):
        if not -shape[dim] <= place < shape[dim]:
            raise IndexError(f"index_select(): index contains {place} that is out of range for tensor of size "
                             f"{list(shape)} at dimension {dim}")
    columns, places = [result_of(part, dtypes.int64)
                       for part in ask.columns_of_slices(aten.select(indices, 0, dim), index, shape[dim])]
    indices = aten.index_select(indices, 1, columns)
    aten.copy_(aten.select(indices, 0, dim), places)
    return _with_parts(sparse_dim, size, indices, aten.index_select(values, 0, columns))


@on_coo("narrow_copy")
def narrow_copy(self, dim, start, length):
    """The slices from one on."""
    dim = wrap_dim(dim, ndim_of(self))
    shape = list(shape_of(self))
    if start + length > shape[dim]:
        raise RuntimeError(f"Invalid range to narrow. range(start, start+length) must be a subset of range(0, "
                           f"{shape[dim]}).")
    sparse_dim = sparse_dim_of(self)
    indices, values = aten._indices(self), aten._values(self)
    shape[dim] = length
    if dim >= sparse_dim:
        values = aten.narrow_copy(values, dim - sparse_dim + 1, start, length)
        return _with_parts(sparse_dim, shape, indices, values)
    row = aten.select(indices, 0, dim)
    kept = _places_of(aten.logical_and(aten.ge(row, start), aten.lt(row, start + length)))
    indices = aten.index_select(indices, 1, kept)
    aten.sub_(aten.select(indices, 0, dim), start)
    return _with_parts(sparse_dim, shape, indices, aten.index_select(values, 0, kept))


@on_coo("cat")
def cat(tensors, dim):
    """Tensors behind each other along a dimension."""
    first = tensors[0]
    for position, tensor in enumerate(tensors):
        if not is_coo(tensor):
            raise RuntimeError(f"Concatenating sparse tensors, but a dense tensor was found at position {position}.")
    dim = wrap_dim(dim, ndim_of(first))
    sparse_dim = aten.sparse_dim(first)
    aten.dense_dim(first)
    _check_alike(tensors, dim, sparse_dim)
    indices, values = [], []
    for tensor in tensors:
        aten.sparse_dim(tensor)
        aten.dense_dim(tensor)
        indices.append(aten._indices(tensor))
        values.append(aten._values(tensor))
    size = list(shape_of(first))
    size[dim] = sum(shape_of(tensor)[dim] for tensor in tensors)
    joined = aten.cat(indices, 1)
    if dim < sparse_dim:
        return _with_parts(sparse_dim, size, *_behind(tensors, dim, joined, aten.cat(values, 0)))
    return _with_parts(sparse_dim, size, joined, _beside(values, dim - sparse_dim + 1, size[dim]))


def _check_alike(tensors, dim: int, sparse_dim: int) -> None:
    shape = shape_of(tensors[0])
    for position, tensor in enumerate(tensors):
        other = shape_of(tensor)
        if len(other) != len(shape) or any(a != b for d, (a, b) in enumerate(zip(shape, other)) if d != dim):
            raise RuntimeError(f"All tensors must have the same shape: {list(shape)} (except in the concatenating "
                               f"dimension), but found shape: {list(other)} at position {position}.")
        if sparse_dim_of(tensor) != sparse_dim:
            raise RuntimeError(f"All tensors must have the same sparse_dim and dense_dim: {sparse_dim}, "
                               f"{len(shape) - sparse_dim}, but tensor at position {position} has "
                               f"{sparse_dim_of(tensor)}, {len(other) - sparse_dim_of(tensor)}.")


def _behind(tensors, dim: int, indices, values):
    """Along a dimension of coordinates: those of later tensors are shifted."""
    column = offset = 0
    for tensor in tensors:
        nnz = aten._nnz(tensor)
        if offset:
            aten.add_(aten.narrow(aten.select(indices, 0, dim), 0, column, nnz), offset)
        column, offset = column + nnz, offset + shape_of(tensor)[dim]
    return indices, values


def _beside(values, at: int, size: int):
    """Along a dimension of values: those of each tensor between zeros."""
    before, parts = 0, []
    for part in values:
        shape = shape_of(part)
        pads = [aten.zeros((*shape[:at], n, *shape[at + 1:]), dtype=part.dtype)
                for n in (before, size - before - shape[at])]
        parts.append(aten.cat([pads[0], part, pads[1]], at))
        before += shape[at]
    return aten.cat(parts, 0)


@on_coo("expand")
def expand(self, size, implicit):
    """Refused, as in torch; torch.broadcast_to() is the same."""
    raise RuntimeError("expand is unsupported for Sparse tensors")


@on_coo("reshape")
def reshape(self, shape):
    """Refused, as in torch."""
    raise RuntimeError("reshape is not implemented for sparse tensors")


@on_coo("_local_scalar_dense")
def only_element(self):
    """The only element as a number."""
    if numel_of(self) != 1:
        raise RuntimeError(f"a Tensor with {numel_of(self)} elements cannot be converted to Scalar")
    if not nnz_of(self):
        return aten.item(aten.zeros((), dtype=self.dtype))
    return aten.item(aten.sum(aten._values(aten.coalesce(self))))

