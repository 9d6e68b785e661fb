# cython: annotation_typing=False
"""Several views of one tensor: its indices one by one, or pieces along a dimension."""

from __future__ import annotations

from ...core.dtype import int64
from ...core.geometry import wrap_dim
from ...core.kinds import check_single
from ...core.storage import Version
from ...core.tensor import offset_of, shape_of, strides_of, window_of
from ...devices.facts import is_on_host
from ...devices.kernel import ask
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from .slice import narrow
from .view import strided


def joined(grads, shapes, dim: int, dtype):
    """The gradients of all pieces in one tensor; pieces nobody used count as zeros."""
    pieces = [aten.zeros(shape, dtype=dtype) if grad is None else grad for grad, shape in zip(grads, shapes)]
    return aten.cat(pieces, dim)


def _piece_shapes(shape, sizes, dim: int) -> list[tuple[int, ...]]:
    dim = wrap_dim(dim, len(shape))
    return [(*shape[:dim], n, *shape[dim + 1:]) for n in sizes]


def _even_sizes(size: int, split_size: int) -> list[int]:
    """Piece after piece of one size; the last may be shorter, and there is always one."""
    if split_size == 0:
        return [0]
    count = max((size + split_size - 1) // split_size, 1)
    check_count(count)
    return [split_size] * (count - 1) + [size - split_size * (count - 1)]


MAX_PIECES = 1 << 24  # results of one call; torch, too, gives up when it cannot hold the list


def check_count(count: int) -> None:
    """Refuse to begin on a list of results that nobody could hold."""
    if count > MAX_PIECES:
        raise RuntimeError(f"one call gives at most {MAX_PIECES} tensors, got a wish for {count}")


class Unbind(Op):
    """Every index of a dimension as a view."""

    schema = "unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]"
    variants = "method"

    def body(self, dim):
        shape = shape_of(self)
        if not shape:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        dim = wrap_dim(dim, len(shape))
        check_count(shape[dim])
        if dispatcher.is_unobserved():
            strides, start = strides_of(self), offset_of(self)
            piece, steps = shape[:dim] + shape[dim + 1:], strides[:dim] + strides[dim + 1:]
            return tuple([window_of(self, piece, steps, start + i * strides[dim]) for i in range(shape[dim])])
        return tuple([aten.select(self, dim, i) for i in range(shape[dim])])

    def grad_self(grads, self_shape, self_dtype, dim):
        dim = wrap_dim(dim, len(self_shape))
        piece = self_shape[:dim] + self_shape[dim + 1:]
        pieces = [aten.expand(aten.zeros((), dtype=self_dtype), piece) if grad is None else grad for grad in grads]
        return aten.stack(pieces, dim)


def _narrowed(self, split_size: int, dim: int):
    """The pieces of split() and unsafe_split()."""
    shape = shape_of(self)
    if not shape:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
    at = wrap_dim(dim, len(shape))
    size = shape[at]
    if split_size == 0 and size != 0:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}")
    pieces, start = [], 0
    is_short, strides, first = dispatcher.is_unobserved(), strides_of(self), offset_of(self)
    for length in _even_sizes(size, split_size):
        if is_short:
            shape = (*shape[:at], length, *shape[at + 1:])
            pieces.append(window_of(self, shape, strides, first + start * strides[at]))
        else:
            pieces.append(narrow(self, dim, start, length))
        start += length
    return tuple(pieces)


class Split(Op):
    """Pieces of one size along a dimension."""

    schema = "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"
    internal = "callers.py chooses between this and split_with_sizes"

    def body(self, split_size, dim):
        return _narrowed(self, split_size, dim)

    def grad_self(grads, self_shape, self_dtype, split_size, dim):
        sizes = _even_sizes(self_shape[wrap_dim(dim, len(self_shape))], split_size)
        return joined(grads, _piece_shapes(self_shape, sizes, dim), dim, self_dtype)


class UnsafeSplit(Op):
    """split() whose pieces count as new tensors."""

    schema = "unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]"
    variants = "method"

    def body(self, split_size, dim):
        pieces = _narrowed(self, split_size, dim)
        for piece in pieces:
            piece._mt_version = Version()  # a write to one is no write to the others
        return pieces

    def grad_self(grads, self_shape, self_dtype, split_size, dim):
        sizes = _even_sizes(self_shape[wrap_dim(dim, len(self_shape))], split_size)
        return joined(grads, _piece_shapes(self_shape, sizes, dim), dim, self_dtype)


class SplitSizes(Op):
    """Pieces of given sizes along a dimension, as ``split`` from C++."""

    schema = "split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]"
    internal = "callers.py chooses between split and split_with_sizes"

    def body(self, split_size, dim):
        return aten.split_with_sizes(self, split_size, dim)


class SplitWithSizes(Op):
    """Pieces of given sizes along a dimension."""

    schema = "split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]"
    variants = "method"

    def body(self, split_sizes, dim):
        shape, strides, start = shape_of(self), self.stride(), offset_of(self)
        if not shape:
            raise RuntimeError("split expects at least a 1-dimensional tensor")
        at = wrap_dim(dim, len(shape))
        pieces, total = [], 0
        for n in split_sizes:
            if n < 0:
                raise RuntimeError("split_with_sizes expects split_sizes have only non-negative entries, but got "
                                   f"split_sizes={list(split_sizes)}")
            if total + n > shape[at]:
                break
            pieces.append(strided(self, (*shape[:at], n, *shape[at + 1:]), strides, start + total * strides[at]))
            total += n
        if sum(split_sizes) != shape[at]:
            raise RuntimeError(f"split_with_sizes expects split_sizes to sum exactly to {shape[at]} (input tensor's "
                               "size at "
                               f"dimension {dim}), but got split_sizes={list(split_sizes)}")
        return tuple(pieces)

    def grad_self(grads, self_shape, self_dtype, split_sizes, dim):
        return joined(grads, _piece_shapes(self_shape, split_sizes, dim), dim, self_dtype)


class UnsafeSplitWithSizes(Op):
    """split_with_sizes() whose pieces count as new tensors."""

    schema = "unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]"
    variants = "method"

    def body(self, split_sizes, dim):
        pieces = SplitWithSizes.op.work(self, split_sizes, dim)
        for piece in pieces:
            piece._mt_version = Version()
        return pieces

    def grad_self(grads, self_shape, self_dtype, split_sizes, dim):
        return joined(grads, _piece_shapes(self_shape, split_sizes, dim), dim, self_dtype)


def _chunk_size(self, chunks: int, dim: int) -> int:
    if not self.dim():
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = shape_of(self)[wrap_dim(dim, self.dim())]
    return (size + chunks - 1) // chunks


class Chunk(Op):
    """At most so many pieces along a dimension, all of one size but the last."""

    schema = "chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]"
    variants = "method"

    def body(self, chunks, dim):
        size = _chunk_size(self, chunks, dim)
        if size == 0:  # an empty dimension is still cut into as many pieces as asked for
            check_count(chunks)
            return aten.split_with_sizes(self, (0,) * chunks, dim)
        return aten.split(self, size, dim)


class UnsafeChunk(Op):
    """chunk() whose pieces count as new tensors."""

    schema = "unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]"
    variants = "method"

    def body(self, chunks, dim):
        size = _chunk_size(self, chunks, dim)
        if size == 0:
            check_count(chunks)
            return aten.unsafe_split_with_sizes(self, (0,) * chunks, dim)
        return aten.unsafe_split(self, size, dim)


def _at_least_1d(self) -> None:
    if not self.dim():
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")


class TensorSplitTensor(Op):
    """tensor_split() by a tensor of indices, or of one number of sections."""

    schema = ("tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int "
              "dim=0) "
              "-> Tensor(a)[]")
    variants = "method"

    def body(self, given, dim):
        _at_least_1d(self)
        if not is_on_host(given):
            raise RuntimeError("tensor_split expected tensor_indices_or_sections to be on cpu, but it's on "
                               f"{given.device}")
        if given.dtype is not int64:
            raise RuntimeError("tensor_split expected tensor_indices_or_sections to have dtype of long, but got "
                               + given.dtype.short)
        if given.dim() > 1:
            raise RuntimeError("tensor_split expected tensor_indices_or_sections to be a zero-dimensional or "
                               f"one-dimensional tensor, but got a tensor with {given.dim()} dims")
        check_single(given)
        if given.dim() == 0:
            return aten.tensor_split(self, aten.item(given), dim)
        return aten.tensor_split(self, tuple(ask.tolist(given)), dim)


class TensorSplit(Op):
    """So many pieces along a dimension, as even as can be."""

    schema = "tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]"
    variants = "method"

    def body(self, sections, dim):
        _at_least_1d(self)
        size = shape_of(self)[wrap_dim(dim, self.dim())]
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        check_count(sections)
        short, longer = divmod(size, sections)
        pieces, start = [], 0
        for i in range(sections):
            end = start + short + (i < longer)
            pieces.append(aten.slice(self, dim, start, end, 1))
            start = end
        return tuple(pieces)


class TensorSplitIndices(Op):
    """The pieces between given indices of a dimension."""

    schema = "tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]"
    variants = "method"

    def body(self, indices, dim):
        _at_least_1d(self)
        bounds = [0, *indices, shape_of(self)[wrap_dim(dim, self.dim())]]
        return tuple([aten.slice(self, dim, start, end, 1) for start, end in zip(bounds, bounds[1:])])


def _checked(self, name: str, least: int, dim: int, sections: int | None) -> None:
    if self.dim() < least:
        raise RuntimeError(f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with "
                           f"{self.dim()} dimensions!")
    if sections is not None and (sections <= 0 or shape_of(self)[dim] % sections):
        raise RuntimeError(f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension "
                           f"{shape_of(self)[dim]} is not divisible by the split_size {sections}!")


class Hsplit(Op):
    """Even pieces side by side."""

    schema = "hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]"
    variants = "method"

    def body(self, sections):
        dim = 0 if self.dim() == 1 else 1
        _checked(self, "hsplit", 1, dim, sections)
        return aten.tensor_split(self, sections, dim)


class HsplitArray(Op):
    """Pieces side by side, between indices."""

    schema = "hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]"
    variants = "method"

    def body(self, indices):
        dim = 0 if self.dim() == 1 else 1
        _checked(self, "hsplit", 1, dim, None)
        return aten.tensor_split(self, indices, dim)


class Vsplit(Op):
    """Even pieces one above the other."""

    schema = "vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]"
    variants = "method"

    def body(self, sections):
        _checked(self, "vsplit", 2, 0, sections)
        return aten.tensor_split(self, sections, 0)


class VsplitArray(Op):
    """Pieces one above the other, between indices."""

    schema = "vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]"
    variants = "method"

    def body(self, indices):
        _checked(self, "vsplit", 2, 0, None)
        return aten.tensor_split(self, indices, 0)


class Dsplit(Op):
    """Even pieces one behind the other."""

    schema = "dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]"
    variants = "method"

    def body(self, sections):
        _checked(self, "dsplit", 3, 2, sections)
        return aten.tensor_split(self, sections, 2)


class DsplitArray(Op):
    """Pieces one behind the other, between indices."""

    schema = "dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]"
    variants = "method"

    def body(self, indices):
        _checked(self, "dsplit", 3, 2, None)
        return aten.tensor_split(self, indices, 2)
