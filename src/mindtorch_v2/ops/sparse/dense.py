"""From sparse to dense and back: to_dense, to_sparse and their derivatives."""

from __future__ import annotations

from ...core.device import sparse_bsc, sparse_bsr, sparse_coo, sparse_csc, sparse_csr, strided
from ...core.sparse import COMPRESSED, IN_BLOCKS, LAYOUT_WORDS, is_compressed, is_coo, is_sparse, layout_word
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from .parts import OF_SPARSE, sparse_dim_of


class ToDense(Op):
    """The tensor with all of its elements."""

    schema = "to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor"
    variants = "method"
    of_kind = OF_SPARSE

    def body(self, dtype, masked_grad):
        if self.layout is sparse_coo or self.layout in COMPRESSED:  # also of what stands for many
            return aten._to_dense(self, dtype, masked_grad)
        return self if dtype is None else aten.to(self, dtype)


class ToDenseInner(Op):
    """What to_dense() does with a sparse tensor."""

    schema = "_to_dense(Tensor self, ScalarType? dtype=None, bool? masked_grad=None) -> Tensor"
    of_kind = OF_SPARSE
    node = "ToDenseBackward0"
    variants = "method"

    def body(self, dtype, masked_grad):
        if dtype is not None:
            raise RuntimeError(f"dtype argument is not supported by {'sparse' if is_coo(self) else 'sparse_csr'}"
                               "_to_dense")
        dense = aten.zeros(shape_of(self), dtype=self.dtype, layout=strided)
        if is_coo(self):
            return aten.add_(dense, self)
        kind = self._mt_kind
        run.write_compressed(dense, kind.compressed, kind.plain, kind.values, kind.layout.name, bool(kind.blocksize))
        return dense

    def grad_self(grad, self, masked_grad):
        return aten.to_dense_backward(grad, self, masked_grad)


class ToDenseBackward(Op):
    """The derivative of to_dense(): where the tensor has elements, unless all are asked for."""

    schema = "to_dense_backward(Tensor grad, Tensor input, bool? masked_grad=None) -> Tensor"
    of_kind = OF_SPARSE
    internal = "a derivative"

    def body(grad, input, masked_grad):
        is_masked = masked_grad is None or masked_grad
        if is_coo(input):
            if is_masked:
                return aten.sparse_mask(grad, aten.coalesce(input))
            return aten.to_sparse(grad, aten.sparse_dim(input))
        kind = input._mt_kind
        if is_masked:
            grad = aten.sparse_mask(grad, aten.to_sparse(input, aten.sparse_dim(input)))
        return in_layout(grad, kind.layout, kind.blocksize)


def in_layout(self, layout, blocksize=()):
    """A tensor in a layout; the derivative of every change of layout is the opposite change."""
    if layout is strided:
        return aten.to_dense(self)
    return aten.to_sparse(self, layout=layout, blocksize=tuple(blocksize) or None)


class ToSparse(Op):
    """The tensor in a sparse layout: coordinates, unless another is named."""

    schema = "to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None) -> Tensor"
    variants = "method"
    of_kind = OF_SPARSE

    def body(self, layout, blocksize, dense_dim):
        wanted = sparse_coo if layout is None else layout
        if wanted is _layout_of(self) and (blocksize is None or tuple(blocksize) == self._mt_kind.blocksize):
            return self
        return aten._to_sparse(self, layout=layout, blocksize=blocksize, dense_dim=dense_dim)


def _layout_of(self):
    return strided if self._mt_kind is None else self._mt_kind.layout


def blocksize_of(self) -> tuple[int, ...]:
    """The shape of blocks, where a tensor has blocks."""
    return self._mt_kind.blocksize if is_compressed(self) else ()


class ToSparseInner(Op):
    """What to_sparse() does where there is something to do."""

    schema = "_to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? dense_dim=None) -> Tensor"
    of_kind = OF_SPARSE
    internal = "the inner half of to_sparse"
    node = "ToSparseBackward1"

    def body(self, layout, blocksize, dense_dim):
        wanted = sparse_coo if layout is None else layout
        _check_wanted(self, wanted, blocksize, dense_dim)
        if wanted is sparse_coo:
            return aten.to_sparse(self, ndim_of(self) - (dense_dim or 0) if not is_sparse(self) else 2)
        if wanted is sparse_csr:
            return aten.to_sparse_csr(self, dense_dim)
        if wanted is sparse_csc:
            return aten.to_sparse_csc(self, dense_dim)
        if wanted is sparse_bsr:
            return aten.to_sparse_bsr(self, blocksize, dense_dim)
        return aten.to_sparse_bsc(self, blocksize, dense_dim)

    def grad_self(grad, self):
        return in_layout(grad, _layout_of(self), blocksize_of(self))


def _check_wanted(self, wanted, blocksize, dense_dim) -> None:
    name = "sparse_coo_to_sparse" if is_coo(self) else "sparse_compressed_to_sparse" if is_sparse(self) \
        else "dense_to_sparse"
    words = f"{name}: conversion from {layout_word(self)} to {LAYOUT_WORDS.get(wanted, 'Strided')}"
    if wanted is strided:
        raise RuntimeError(f"{name}: unexpected same input and output layout" if not is_sparse(self)
                           else f"{words} is not supported")
    if wanted in IN_BLOCKS and blocksize is None:
        raise RuntimeError(f"{words} without blocksize argument given is not supported")
    if wanted not in IN_BLOCKS and blocksize is not None:
        raise RuntimeError(f"{words} with blocksize argument given is not supported")
    if is_sparse(self) and dense_dim is not None:
        raise RuntimeError(f"{words} with dense_dim argument given is not supported")
    if is_coo(self) and wanted is not sparse_coo and sparse_dim_of(self) != 2:
        raise RuntimeError(f"{words} for input tensors with sparse_dim()!=2 is not supported")
    if wanted in IN_BLOCKS and is_compressed(self) and not blocksize_of(self) and ndim_of(self._mt_kind.compressed) > 1:
        raise RuntimeError(f"{words} for batched inputs is not supported")


class ToSparseDim(Op):
    """The tensor by coordinates of its first dimensions."""

    schema = "to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor"
    variants = "method"
    of_kind = OF_SPARSE

    def body(self, sparse_dim):
        if is_coo(self):
            if sparse_dim != sparse_dim_of(self):
                raise RuntimeError("to_sparse: conversion from Sparse to Sparse with sparse_dim argument "
                                   "!=self.sparse_dim() is not supported")
            return self
        return aten._to_sparse(self, sparse_dim)


class ToSparseDimInner(Op):
    """What to_sparse() does with a number of dimensions."""

    schema = "_to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor"
    of_kind = OF_SPARSE
    internal = "the inner half of to_sparse"
    node = "ToSparseBackward0"

    def body(self, sparse_dim):
        if is_sparse(self):
            return coordinates_of(self)
        dims = ndim_of(self)
        if sparse_dim == 0 and dims:
            raise RuntimeError("dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0")
        if not 0 <= sparse_dim <= dims:
            raise RuntimeError(f"dense_to_sparse: sparse_dim argument must be in [0,{dims}] range, but {sparse_dim} is "
                               "given")
        return _nonzero_elements(self, sparse_dim)

    def grad_self(grad, self):
        return in_layout(grad, _layout_of(self), blocksize_of(self))


def _nonzero_elements(self, sparse_dim: int):
    """Coordinates and values of what is not zero; slices with anything but zeros where values have dimensions."""
    dims, shape = ndim_of(self), shape_of(self)
    places = aten.transpose(aten.nonzero(self), 0, 1)
    if not shape_of(places)[1]:
        return aten._coalesced_(aten._sparse_coo_tensor_with_dims(sparse_dim, dims - sparse_dim, shape,
                                                                  dtype=self.dtype), True)
    if sparse_dim == dims:
        indices = aten.clone(places)
    else:
        indices = aten.unique_dim(aten.narrow(places, 0, 0, sparse_dim), 1)[0]
        indices = indices if indices.is_contiguous() else aten.contiguous(indices)
    if dims:
        rows = aten.chunk(indices, sparse_dim, 0)
        values = aten.clone(aten.squeeze(aten.index(self, list(rows)), 0))
    else:
        values = aten.clone(aten.unsqueeze(self, 0))
    return aten._coalesced_(aten.sparse_coo_tensor(indices, values, shape), True)


def coordinates_of(self):
    """A tensor of a compressed layout by coordinates."""
    kind = self._mt_kind
    indices = aten._convert_indices_from_csr_to_coo(kind.compressed, kind.plain,
                                                    transpose=kind.layout in (sparse_csc, sparse_bsc))
    values = aten.clone(kind.values)
    batch = ndim_of(kind.compressed) - 1
    if batch:
        values = aten.flatten(values, 0, batch)
    if kind.blocksize:
        indices, values = _out_of_blocks(indices, values, kind.blocksize)
    in_order = kind.layout is sparse_csr or shape_of(kind.plain)[-1] == 1 or not numel_of(self)
    return aten._sparse_coo_tensor_unsafe(indices, values, shape_of(self), is_coalesced=in_order)


def _out_of_blocks(indices, values, blocksize):
    """Every element of a block by coordinates of its own."""
    (dims, nnz), (height, width) = shape_of(indices), blocksize
    new_indices = aten.empty((dims, nnz * height * width), dtype=indices.dtype)
    run.elements_of_blocks(new_indices, indices, height, width)
    return new_indices, aten.reshape(values, (nnz * height * width, *shape_of(values)[3:]))
