"""Tensors from coordinates and values: torch.sparse_coo_tensor and what it is made of."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.sparse import SparseCoo, sparse_tensor
from ...core.tensor import alias_of, ndim_of, numel_of, shape_of
from ...devices.kernel import ask
from ...dispatch.aten import aten
from ...opdef.form import Op
from . import invariants
from .parts import OF_SPARSE


def new_coo(shape, indices, values, sparse_dim: int, is_coalesced: bool = False):
    """A tensor of coordinates and values, without a row."""
    return sparse_tensor(SparseCoo(alias_of(indices), alias_of(values), sparse_dim, bool(is_coalesced)), shape)


def unsized_parts(dtype):
    """The parts that torch gives a new tensor before it knows better: rows without memory."""
    return aten.empty((1, 0), dtype=dtypes.int64), aten.empty((0,), dtype=dtype)


def no_elements(sparse_dim: int, values_shape, dtype):
    """Parts without elements, which show as rows."""
    return aten.empty((sparse_dim, 0), dtype=dtypes.int64), aten.empty((0, *values_shape), dtype=dtype)


def empty_coo(size, sparse_dim: int, dtype):
    """A tensor without elements."""
    unsized_parts(dtype)
    indices, values = no_elements(sparse_dim, size[sparse_dim:], dtype)
    return new_coo(size, indices, values, sparse_dim, is_coalesced=True)


class WithDims(Op):
    """A tensor of a shape that keeps no element."""

    schema = ("_sparse_coo_tensor_with_dims(int sparse_dim, int dense_dim, int[] size, *, ScalarType? dtype=None, "
              "Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor")
    of_kind = OF_SPARSE
    internal = "torch.sparse_coo_tensor"

    def body(sparse_dim, dense_dim, size, dtype, layout, device, pin_memory):
        if min(size, default=0) < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {min(size)}: {list(size)}")
        return empty_coo(size, sparse_dim, dtype or dtypes.get_default_dtype())


class WithDimsAndTensors(Op):
    """A tensor of coordinates and values of a shape."""

    schema = ("_sparse_coo_tensor_with_dims_and_tensors(int sparse_dim, int dense_dim, SymInt[] size, Tensor indices, "
              "Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
              "pin_memory=False, bool? is_coalesced=None) -> Tensor")
    of_kind = OF_SPARSE
    internal = "torch.sparse_coo_tensor"
    node = "SparseCooTensorWithDimsAndTensorsBackward0"

    def body(sparse_dim, dense_dim, size, indices, values, dtype, layout, device, pin_memory, is_coalesced):
        before = unsized_parts(values.dtype)
        if sparse_dim + dense_dim != len(size):
            raise RuntimeError("'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
                               f"{len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}")
        if min(size, default=0) < 0:
            raise RuntimeError("numel: integer multiplication overflow")
        aten.resize_(before[0], (sparse_dim, 0))
        aten.resize_(before[1], (0, *size[sparse_dim:]))
        _check_parts(sparse_dim, dense_dim, size, indices, values)
        return new_coo(size, indices, values, sparse_dim,
                       shape_of(values)[0] < 2 if is_coalesced is None else is_coalesced)

    def grad_values(grad, result):
        return aten._values(aten.sparse_mask(grad, result))


def _check_parts(sparse_dim: int, dense_dim: int, size, indices, values) -> None:
    """What torch asserts when coordinates and values are put into a tensor."""
    nnz = (shape_of(indices)[1], shape_of(values)[0])
    if nnz[0] != nnz[1]:
        raise RuntimeError(f"indices and values must have same nnz, but got nnz from indices: {nnz[0]}, nnz from "
                           f"values: {nnz[1]}")
    if shape_of(indices)[0] != sparse_dim:
        raise RuntimeError(f"indices has incorrect first dimension, expected {sparse_dim}, got {shape_of(indices)[0]}")
    if shape_of(values)[1:] != tuple(size[sparse_dim:]):
        raise RuntimeError(f"values has incorrect size, expected {[nnz[1], *size[sparse_dim:]]}, got "
                           f"{list(shape_of(values))}")


class Unsafe(Op):
    """A tensor of coordinates and values that are known to be inside of its shape."""

    schema = ("_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, SymInt[] size, *, ScalarType? dtype=None, "
              "Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor")
    of_kind = OF_SPARSE
    internal = "torch.sparse_coo_tensor"

    def body(indices, values, size, dtype, layout, device, pin_memory, is_coalesced):
        return with_tensors(indices, values, size, is_coalesced)


def with_tensors(indices, values, size, is_coalesced=None):
    """The tensor of a shape; a number alone is its only value."""
    values = one_value(values)
    sparse_dim = shape_of(indices)[0]
    return aten._sparse_coo_tensor_with_dims_and_tensors(sparse_dim, ndim_of(values) - 1, tuple(size), indices, values,
                                                         is_coalesced=is_coalesced)


def one_value(values):
    """A number as a list of one."""
    return values if ndim_of(values) else aten.unsqueeze(values, 0)


class OfSize(Op):
    """A tensor of a shape that keeps no element."""

    schema = ("sparse_coo_tensor.size(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
              "bool? pin_memory=False) -> Tensor")
    of_kind = OF_SPARSE
    internal = "torch.sparse_coo_tensor reads its arguments first"

    def body(size, dtype, layout, device, pin_memory):
        return aten._sparse_coo_tensor_with_dims(len(size), 0, size, dtype=dtype)


class OfIndices(Op):
    """A tensor of coordinates and values, just large enough for them."""

    schema = ("sparse_coo_tensor.indices(Tensor indices, Tensor values, *, ScalarType? dtype=None, Layout? "
              "layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor")
    of_kind = OF_SPARSE
    internal = "torch.sparse_coo_tensor reads its arguments first"

    def body(indices, values, dtype, layout, device, pin_memory, is_coalesced):
        _check_indices(indices)
        values = one_value(values)
        size = _extent(indices) + shape_of(values)[1:]
        return with_tensors(indices, values, size, is_coalesced)


def _check_indices(indices) -> None:
    if ndim_of(indices) != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(shape_of(indices))}")


def _extent(indices) -> tuple[int, ...]:
    """One more than the largest coordinate of each dimension."""
    if not numel_of(indices):
        return (0,) * shape_of(indices)[0]
    least, largest = aten.min(indices, 1)[0], aten.max(indices, 1)[0]
    aten.add_(largest, 1)
    for dim, index in enumerate(ask.tolist(aten.to(least, dtypes.int64))):
        if index < 0:
            raise RuntimeError(f"found negative index {index} for dim {dim}")
    return tuple(ask.tolist(aten.to(largest, dtypes.int64)))


class OfIndicesAndSize(Op):
    """A tensor of coordinates, values and a shape."""

    schema = ("sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, *, ScalarType? dtype=None, "
              "Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) -> Tensor")
    of_kind = OF_SPARSE
    internal = "torch.sparse_coo_tensor reads its arguments first"

    def body(indices, values, size, dtype, layout, device, pin_memory, is_coalesced):
        _check_indices(indices)
        if invariants.are_checked():
            aten._validate_sparse_coo_tensor_args(indices, values, size, is_coalesced)
        return with_tensors(indices, values, size, is_coalesced)


class Validate(Op):
    """Complain unless coordinates and values make a tensor of a shape."""

    schema = ("_validate_sparse_coo_tensor_args(Tensor indices, Tensor values, int[] size, bool? is_coalesced=None, "
              "bool? check_pinning=None) -> ()")
    of_kind, below = OF_SPARSE, "only looks"
    internal = "torch.sparse_coo_tensor"

    def body(indices, values, size, is_coalesced, check_pinning):
        invariants.validate_coo(indices, one_value(values), size, is_coalesced)
