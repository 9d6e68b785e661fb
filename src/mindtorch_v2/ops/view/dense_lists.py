"""Lists of tensors as one tensor and back, and reshape() that copies."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, numel_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.layout import in_order
from ..shared.not_differentiable import UNKNOWN, unknown


class FlattenDenseTensors(Op):
    """The elements of all tensors of a list, one behind the other."""

    schema = "flatten_dense_tensors(Tensor[] tensors) -> Tensor"
    internal = "torch.ops.aten"

    def body(tensors):
        return aten.cat([aten.view(in_order(t), (numel_of(t),)) for t in tensors])


class UnflattenDenseTensors(Op):
    """Parts of a tensor in the shapes of other tensors."""

    schema = "unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]"
    internal = "torch.ops.aten"

    def body(flat, tensors):
        parts, offset = [], 0
        for t in tensors:
            parts.append(aten.view(aten.narrow(flat, 0, offset, numel_of(t)), shape_of(t)))
            offset += numel_of(t)
        return parts


class ChunkCat(Op):
    """Each tensor cut into a number of chunks, and the chunks of all tensors joined; short ones are filled with 0."""

    schema = "_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor"
    variants = "out"
    no_formula = "autograd refuses to write into a given tensor"
    node, grads_of, grads = UNKNOWN, "tensors", unknown("_chunk_cat")

    def body(tensors, dim, num_chunks, out=None):
        dim = _chunked_dim(tensors, dim, num_chunks)
        chunks = [_chunked(t, dim, num_chunks) for t in tensors]
        return aten.cat(chunks, dim + 1) if out is None else aten.cat(chunks, dim + 1, out=out)


def _chunked_dim(tensors, dim: int, num_chunks: int) -> int:
    """The dimension that is cut, counted from the front; torch's complaint about tensors that do not fit together."""
    if num_chunks < 1:
        raise RuntimeError("_chunk_cat expects positive num_chunks")
    if not tensors:
        raise RuntimeError("_chunk_cat expects a non-empty input tensor list")
    if dim < 0:
        if len({ndim_of(t) for t in tensors}) > 1:
            raise RuntimeError("_chunk_cat expects non-negative dim when input tensors have different ndims")
        dim = wrap_dim(dim, ndim_of(tensors[0]))
    for t in tensors:
        if dim >= ndim_of(t):
            raise RuntimeError("_chunk_cat expects dim < ndim for all input tensors")
        if not numel_of(t):
            raise RuntimeError("_chunk_cat expects non-empty tensor")
        if shape_of(t)[:dim] != shape_of(tensors[0])[:dim]:
            raise RuntimeError("_chunk_cat expects same sizes of 0,...,dim-1 dimensions for all tensors")
    return dim


def _chunked(t, dim: int, num_chunks: int):
    """A tensor with a dimension for its chunks, and one for all that is in a chunk."""
    shape = shape_of(t)
    missing = -shape[dim] % num_chunks
    if missing:
        padded = aten.new_zeros(t, (*shape[:dim], shape[dim] + missing, *shape[dim + 1:]))
        aten.copy_(aten.narrow(padded, dim, 0, shape[dim]), t)
        t = padded
    return aten.reshape(t, (*shape[:dim], num_chunks, -1))


class ReshapeCopy(Op):
    """reshape() that always copies."""

    schema = "_reshape_copy(Tensor self, SymInt[] size) -> Tensor"
    internal = "torch.ops.aten"

    def body(self, size):
        if self.is_contiguous():
            return aten.clone(aten.view(self, size), memory_format=contiguous_format)
        return aten._unsafe_view(aten.clone(self, memory_format=contiguous_format), size)

    def grad_self(grad, self_shape):
        return aten.reshape(grad, self_shape)
