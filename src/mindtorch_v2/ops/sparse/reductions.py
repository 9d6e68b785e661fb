"""Sums and norms of sparse tensors."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.sparse import is_coo, on_coo
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from .parts import OF_SPARSE


@on_coo("sum")
def sum_all(self, dtype):
    """The sum of all values."""
    return aten.sum(aten._values(self), dtype=dtype)


@on_coo("sum.dim_IntList")
def sum_dims(self, dim, keepdim, dtype):
    """The sum along some dimensions."""
    if dim is None:
        result = sum_all(self, dtype)
    else:
        if dtype is None and self.dtype.category < dtypes.FLOATING:
            dtype = dtypes.int64
        result = aten._sparse_sum(self, dim) if dtype is None else aten._sparse_sum(self, dim, dtype=dtype)
    if keepdim:
        summed = wrapped_dims(dim, ndim_of(self)) if dim else range(ndim_of(self))
        for d in sorted(summed):
            result = aten.unsqueeze(result, d)
    return result


def wrapped_dims(dims, ndim: int) -> list[int]:
    """One dimension or several, counted from the front."""
    return [wrap_dim(d, ndim) for d in ((dims,) if isinstance(dims, int) else dims)]


class SparseSum(Op):
    """The sum of all elements."""

    schema = "_sparse_sum(Tensor self) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.sum"

    def body(self):
        ordered = aten.coalesce(self)  # whose indices stay until the sum is there
        return aten.sum(aten.values(ordered))


class SparseSumType(Op):
    """The same in a type."""

    schema = "_sparse_sum.dtype(Tensor self, *, ScalarType dtype) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.sum"

    def body(self, dtype):
        ordered = aten.coalesce(self)
        return aten.sum(aten.values(ordered), dtype=dtype)


class SparseSumDimType(Op):
    """The sum along some dimensions in a type."""

    schema = "_sparse_sum.dim_dtype(Tensor self, int[1] dim, *, ScalarType dtype) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.sum"

    def body(self, dim, dtype):
        return aten._sparse_sum(aten.to(self, dtype), dim)


class SparseSumDim(Op):
    """The sum along some dimensions: sparse, unless all dimensions with coordinates are summed."""

    schema = "_sparse_sum.dim(Tensor self, int[1] dim) -> Tensor"
    of_kind = OF_SPARSE
    internal = "torch.sparse.sum"
    node = "SparseSumBackward0"

    def body(self, dim):
        summed = set(wrapped_dims(dim, ndim_of(self)))
        indices, values = aten._indices(self), aten._values(self)
        sparse_dim = aten.sparse_dim(self)
        dense = [d + 1 - sparse_dim for d in sorted(summed) if d >= sparse_dim]
        kept = [d for d in range(ndim_of(self)) if d not in summed]
        values = aten.sum(values, tuple(dense)) if dense else aten.clone(values, memory_format=contiguous_format)
        rows = [d for d in kept if d < sparse_dim]
        if not rows:
            return aten.sum(values, (0,))
        if len(rows) == sparse_dim:
            indices = aten.clone(indices, memory_format=contiguous_format)
        else:
            indices = _rows_of(indices, rows, aten._nnz(self))
        size = tuple(shape_of(self)[d] for d in kept)
        result = aten._sparse_coo_tensor_with_dims_and_tensors(len(rows), ndim_of(values) - 1, size, indices, values,
                                                               is_coalesced=False)
        return aten.coalesce(result)

    def grad_self(grad, self, dim):
        return aten._sparse_sum_backward(grad, self, dim)


def _rows_of(indices, rows: list[int], nnz: int):
    """Some rows of the coordinates."""
    picked = aten.empty((len(rows), nnz), dtype=indices.dtype)
    for i, row in enumerate(rows):
        aten.copy_(aten.select(picked, 0, i), aten.select(indices, 0, row))
    return picked


class SparseSumBackward(Op):
    """The derivative of the sum: to every element what arrived at its place."""

    schema = "_sparse_sum_backward(Tensor grad, Tensor self, int[] dim) -> Tensor"
    of_kind, below = OF_SPARSE, "a derivative"
    internal = "a derivative"

    def body(grad, self, dim):
        if is_coo(grad) and not aten._nnz(grad) or not numel_of(grad):
            return aten.zeros_like(self)
        ordered = aten.coalesce(self)
        indices, values = aten._indices(ordered), aten._values(ordered)
        sparse_dim, dense_dim = aten.sparse_dim(ordered), aten.dense_dim(ordered)
        aten._nnz(ordered)
        summed = sorted(set(wrapped_dims(dim, ndim_of(self))))
        dense = [d + 1 - sparse_dim for d in summed if d >= sparse_dim]
        rows = [d for d in range(sparse_dim) if d not in summed]
        if not rows:
            back = _of_dense(grad, dense, shape_of(values))
        else:
            back = _of_sparse(grad, dense, shape_of(values), indices, rows, sparse_dim, shape_of(self))
        aten.is_coalesced(ordered)
        indices = aten.clone(indices, memory_format=contiguous_format)
        return aten._sparse_coo_tensor_with_dims_and_tensors(sparse_dim, dense_dim, shape_of(self), indices, back,
                                                             is_coalesced=True)


def _of_dense(grad, dense: list[int], shape):
    """One gradient for all elements."""
    for d in dense:
        grad = aten.unsqueeze(grad, d - 1)
    return aten.clone(aten.expand(grad, shape), memory_format=contiguous_format)


def _of_sparse(grad, dense: list[int], shape, indices, rows: list[int], sparse_dim: int, sizes):
    """The gradient of each place that is left, to the elements that were summed there."""
    ordered = aten.coalesce(grad)
    grad_indices, values = aten._indices(ordered), aten._values(ordered)
    aten.sparse_dim(ordered)
    nnz = aten._nnz(ordered)
    for d in dense:
        values = aten.unsqueeze(values, d)
    if dense:
        values = aten.clone(aten.expand(values, (nnz, *shape[1:])), memory_format=contiguous_format)
    if len(rows) == sparse_dim:
        return values
    back = aten.zeros(shape, dtype=values.dtype)
    run.gather_columns(back, _rows_of(indices, rows, shape[0]), grad_indices, values, tuple(sizes[d] for d in rows))
    return back


class NativeNorm(Op):
    """The norm of the values."""

    schema = "native_norm(Tensor self, Scalar p=2) -> Tensor"
    of_kind, below = OF_SPARSE, "reads values"

    def body(self, p):
        ordered = aten.coalesce(self)
        return aten.norm(aten._values(ordered), p)


class NativeNormDims(Op):
    """The same, of all dimensions."""

    schema = ("native_norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, ScalarType? dtype) -> "
              "Tensor")
    of_kind, below = OF_SPARSE, "reads values"

    def body(self, p, dim, keepdim, dtype):
        if dim and sorted(wrapped_dims(dim, ndim_of(self))) != list(range(ndim_of(self))):
            raise RuntimeError("norm_sparse currently only supports full reductions, so 'dim' must either be empty or "
                               "contain all dimensions of the input")
        if keepdim:
            raise RuntimeError("norm_sparse currently does not support keepdim=True")
        if dtype is not None:
            raise RuntimeError("norm_sparse currently does not support 'dtype' argument")
        ordered = aten.coalesce(self)
        return aten.norm(aten._values(ordered), 2.0 if p is None else p)


@on_coo("norm.Scalar")
def norm(self, p):
    """The norm of all elements."""
    return aten.native_norm(self, p, (), False, None)


@on_coo("norm.ScalarOpt_dim")
def norm_dims(self, p, dim, keepdim):
    """The norm; torch has it for all dimensions at once."""
    return aten.native_norm(self, p, dim, keepdim, None)


@on_coo("norm.ScalarOpt_dim_dtype")
def norm_dims_type(self, p, dim, keepdim, dtype):
    """The same in a type."""
    return aten.native_norm(self, p, dim, keepdim, dtype)


@on_coo("norm.ScalarOpt_dtype")
def norm_type(self, p, dtype):
    """The norm of all elements in a type."""
    return aten.native_norm(self, p, (), False, dtype)


@on_coo("any")
def any_of(self):
    """Whether any value is not zero."""
    return aten.any(aten._values(self))
