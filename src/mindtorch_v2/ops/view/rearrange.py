# cython: annotation_typing=False
"""The same elements in another place: turned, shifted, repeated; and triangles and grids."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.device import strided as strided_layout
from ...core.geometry import contiguous_strides, wrap_dim, wrap_dims
from ...core.tensor import (
    blank,
    in_rows,
    is_in_order,
    is_row_major,
    ndim_of,
    numel_of,
    place_of,
    shape_of,
    strides_of,
)
from ...devices.facts import has_values
from ...devices.kernel import ask, run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from .view import strided


class Flip(Op):
    """Dimensions in reverse order of their indices."""

    schema = "flip(Tensor self, int[] dims) -> Tensor"
    variants = "method"

    def meta(self, dims):
        wrap_dims(dims, ndim_of(self))
        return Spec(shape_of(self), self.dtype)

    def body(self, dims):
        shape, strides = shape_of(self), strides_of(self)
        turned = wrap_dims(dims, len(shape)) if dims else ()
        is_short = is_in_order(self) and dispatcher.is_unobserved()
        out = blank(shape, self.dtype) if is_short else aten.empty_like(self)
        turned = tuple([d for d in turned if shape[d] > 1 and strides[d]])
        if not turned or not numel_of(self):
            return aten.copy_(out, self)
        run.flip(out, self if is_short else strided(self, shape, strides), turned)
        return out

    def grad_self(grad, dims):
        return aten.flip(grad, dims)


class Fliplr(Op):
    """Columns in reverse order."""

    schema = "fliplr(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        if self.dim() < 2:
            raise RuntimeError("Input must be >= 2-d.")
        return aten.flip(self, (1,))


class Flipud(Op):
    """Rows in reverse order."""

    schema = "flipud(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        if self.dim() < 1:
            raise RuntimeError("Input must be >= 1-d.")
        return aten.flip(self, (0,))


class Rot90(Op):
    """A plane turned by quarters."""

    schema = "rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor"
    variants = "method"

    def body(self, k, dims):
        ndim = self.dim()
        if len(dims) != 2:
            raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
        if ndim < 2:
            raise RuntimeError(f"expected total dims >= 2, but got total dims = {ndim}")
        first, second = wrap_dim(dims[0], ndim), wrap_dim(dims[1], ndim)
        if first == second:
            raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
        quarter = k % 4
        if quarter == 0:
            return aten.clone(self, memory_format=contiguous_format)
        if quarter == 2:
            return aten.flip(self, dims)
        return aten.transpose_(aten.flip(self, (dims[1] if quarter == 1 else dims[0],)), dims[0], dims[1])

    def grad_self(grad, k, dims):
        return aten.rot90(grad, -k, dims)


class Roll(Op):
    """Elements shifted along dimensions; what leaves at one end comes in at the other."""

    schema = "roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor"
    variants = "method"

    def body(self, shifts, dims):
        if not shifts:
            raise RuntimeError("`shifts` required")
        if len(shifts) == 1 and len(dims) <= 1 and ndim_of(self) and is_row_major(self) \
                and dispatcher.is_unobserved():
            return _rolled(self, shifts[0], dims)
        if not dims and len(shifts) == 1:
            flat = aten.view(self if self.is_contiguous() else aten.contiguous(self), (-1,))
            return aten.view(aten.roll(flat, shifts, (0,)), shape_of(self))
        if len(shifts) != len(dims):
            raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
        if len(dims) > 1:
            return aten.roll(aten.roll(self, shifts[:1], dims[:1]), shifts[1:], dims[1:])
        if not self.numel():
            return aten.clone(self)
        size = shape_of(self)[wrap_dim(dims[0], self.dim())]
        start = -shifts[0] % size
        tail = aten.narrow(self, dims[0], start, size - start)
        return aten.cat([tail, aten.narrow(self, dims[0], 0, start)], dims[0])

    def grad_self(grad, shifts, dims):
        return aten.roll(grad, tuple([-s for s in reversed(shifts)]), tuple(reversed(dims)))


def _rolled(self, shift: int, dims):
    """roll() along one dimension, or along all of them as one, at once."""
    shape = shape_of(self)
    out = blank(shape, self.dtype)
    if dims:
        dim = wrap_dim(dims[0], len(shape))
        run.roll(out, self, shift % shape[dim], dim)
    else:
        line = (numel_of(self),)
        run.roll(in_rows(out, line), in_rows(self, line), shift % line[0], 0)
    return out


class Repeat(Op):
    """Copies of a tensor laid side by side along each dimension."""

    schema = "repeat(Tensor self, SymInt[] repeats) -> Tensor"
    variants = "method"

    def body(self, repeats):
        lead = len(repeats) - self.dim()
        if lead < 0:
            raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of "
                               "tensor")
        padded = (1,) * lead + shape_of(self)
        target = tuple([n * r for n, r in zip(padded, repeats)])
        if dispatcher.is_unobserved():
            out = blank(target, self.dtype)
            if numel_of(out):
                run.repeat(out, self, repeats)
            return out
        source = aten.expand(self, padded)
        out = aten.empty(target, dtype=self.dtype, layout=strided_layout)
        if not out.numel():
            return out
        tiles = out
        for d, n in enumerate(padded):
            tiles = aten.unfold(tiles, d, max(n, 1), max(n, 1))
        aten.copy_(tiles, aten.expand_as(source, tiles))
        return aten.reshape(aten.permute(tiles, _interleaved(len(repeats))), target)

    def grad_self(grad, self_shape, repeats):
        return repeat_backward(grad, repeats, self_shape)


def _interleaved(n: int) -> tuple[int, ...]:
    """0, n, 1, n+1, …: each tile's number next to the dimension it numbers."""
    tiles = aten.arange(n, dtype=dtypes.int64)
    inner = aten.add(tiles, n)
    aten.flatten(aten.cat([aten.unsqueeze(tiles, 1), aten.unsqueeze(inner, 1)], 1))  # torch's way to these numbers
    return tuple([at for i in range(n) for at in (i, n + i)])


def repeat_backward(grad, repeats, shape):
    """Add up the copies, outer dimensions first."""
    if 0 in repeats:
        return aten.zeros(shape, dtype=grad.dtype)
    lead = len(repeats) - len(shape)
    for _ in range(lead):
        grad = aten.sum(grad, (0,), False)
    folded, summed = [], []
    for n, r in zip(shape, repeats[lead:]):
        if r != 1:
            summed.append(len(folded))
            folded.append(r)
        folded.append(n)
    return aten.sum(aten.reshape(grad, tuple(folded)), tuple(summed), False) if summed else grad


class Tile(Op):
    """repeat() that counts dimensions from the last."""

    schema = "tile(Tensor self, SymInt[] dims) -> Tensor"
    variants = "method"

    def body(self, dims):
        return aten.repeat(self, (1,) * (self.dim() - len(dims)) + tuple(dims))


class RepeatInterleaveCounts(Op):
    """Each index as often as its count says."""

    schema = "repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor"

    def body(repeats, output_size):
        if repeats.dtype.name not in ("int64", "int32"):
            raise not_implemented("repeat_interleave_cpu", repeats.dtype)
        if repeats.dim() != 1:
            raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
        if not repeats.numel():
            return aten.empty_like(repeats)
        counts = repeats if repeats.is_contiguous() else aten.contiguous(repeats)
        ends = aten.cumsum(counts, 0)
        if output_size is None:
            if not has_values(ends):
                raise RuntimeError("cannot repeat_interleave a meta tensor without output_size")
            output_size = aten.item(aten.select(ends, 0, -1))
        elif has_values(ends) and output_size != ask.last(ends):
            raise RuntimeError("allocated size does not match required size")
        if has_values(counts) and not aten.item(aten.all(aten.ge(counts, 0))):
            raise RuntimeError("repeats can not be negative")
        out = aten.empty((output_size,), dtype=repeats.dtype)
        run.repeat_positions(out, counts)
        return out


class RepeatInterleave(Op):
    """Each slice of a dimension as often as its count says."""

    schema = ("repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) "
              "-> Tensor")
    variants = "method"

    def body(self, repeats, dim, output_size):
        if dim is None:
            self, dim = aten.flatten(self), 0
        size = shape_of(self)[wrap_dim(dim, self.dim())] if self.dim() else 1
        if repeats.dim() == 0 or (repeats.dim() == 1 and repeats.numel() == 1):
            repeats = aten.expand(aten.reshape(repeats, (1,)), (size,))
        elif repeats.dim() != 1:
            raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
        elif repeats.numel() != size:
            raise RuntimeError("repeats must have the same size as input along dim, but got repeats.size(0) = "
                               f"{repeats.numel()} and input.size({dim}) = {size}")
        return aten.index_select(self, dim, aten.repeat_interleave(repeats, output_size=output_size))


class RepeatInterleaveInt(Op):
    """Each slice of a dimension so many times in a row."""

    schema = ("repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) "
              "-> Tensor")
    variants = "method"

    def body(self, repeats, dim, output_size):
        if dim is None:
            self, dim = aten.flatten(self), 0
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        dim = wrap_dim(dim, self.dim())
        shape = shape_of(self)
        if output_size is not None and shape and output_size != shape[dim] * repeats:
            raise RuntimeError(f"repeat_interleave: Invalid output_size, expected {shape[dim] * repeats} but got "
                               f"{output_size}")
        wide = aten.expand(aten.unsqueeze(self, dim + 1), (*shape[:dim + 1], repeats, *shape[dim + 1:]))
        return aten.flatten(aten.clone(wide, memory_format=contiguous_format), dim, dim + 1)


def _matrices(name: str):
    def rule(self, diagonal) -> Spec:
        if ndim_of(self) < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return Spec(shape_of(self), self.dtype)
    return rule


def _dense_batch(self):
    """Matrices that follow each other without gaps, as torch's kernel wants them; the copy of others is a row."""
    shape, strides = shape_of(self), strides_of(self)
    if len(shape) == 2 or 0 in shape:
        return self
    if is_in_order(self):
        dense = contiguous_strides(shape)
        return self if strides == dense else aten.as_strided(self, shape, dense)
    step = shape[-1] * shape[-2]
    for n, stride in zip(shape[-3::-1], strides[-3::-1]):
        if stride != step:
            return aten.contiguous(self)
        step *= n
    return self


class Tril(Op):
    """What lies on and below a diagonal."""

    schema = "tril(Tensor self, SymInt diagonal=0) -> Tensor"
    overlap = "expanded expanded_out shares_inputs"
    meta = _matrices("tril")
    variants = "method inplace out"

    def into(out, self, diagonal):
        run.tril(out, self if out is self else _dense_batch(self), diagonal)

    def grad_self(grad, diagonal):
        return aten.tril(grad, diagonal)


class Triu(Op):
    """What lies on and above a diagonal."""

    schema = "triu(Tensor self, SymInt diagonal=0) -> Tensor"
    overlap = "expanded expanded_out shares_inputs"
    meta = _matrices("triu")
    variants = "method inplace out"

    def into(out, self, diagonal):
        run.triu(out, self if out is self else _dense_batch(self), diagonal)

    def grad_self(grad, diagonal):
        return aten.triu(grad, diagonal)


class Meshgrid(Op):
    """Coordinates of a grid, one tensor for each of its axes."""

    schema = "meshgrid(Tensor[] tensors) -> Tensor[]"
    internal = "callers.py gathers the tensors"

    def body(tensors):
        return _grid(tensors)


class MeshgridIndexing(Op):
    """meshgrid() with the first two axes as in matrices (ij) or as in plots (xy)."""

    schema = "meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]"
    internal = "callers.py gathers the tensors"

    def body(tensors, indexing):
        if indexing not in ("ij", "xy"):
            raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
        if indexing == "ij" or len(tensors) < 2:
            return _grid(tensors)
        second, first, *rest = _grid([tensors[1], tensors[0], *tensors[2:]])
        return (first, second, *rest)


def _grid(tensors):
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if any([t.dtype is not tensors[0].dtype for t in tensors]):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if any([place_of(t) != place_of(tensors[0]) for t in tensors]):
        raise RuntimeError("meshgrid expects all tensors to have the same device")
    for t in tensors:
        if t.dim() > 1:
            raise RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t}")
    shape = tuple([t.numel() for t in tensors])
    axes = []
    for i, t in enumerate(tensors):
        alone = (1,) * i + (-1,) + (1,) * (len(shape) - i - 1)
        axes.append(aten.expand(aten.view(t, alone), shape))
    return tuple(axes)
