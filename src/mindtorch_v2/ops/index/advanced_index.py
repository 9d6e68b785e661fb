# cython: annotation_typing=False
"""Advanced indexing: tensors of positions and masks, to read by and to write by."""

from __future__ import annotations

from typing import NamedTuple

from ...core import dtype as dtypes
from ...core.geometry import broadcast_shapes
from ...core.tensor import Tensor, blank, ndim_of, numel_of, shape_of, strides_of
from ...core.user_warning import warn_user
from ...devices.facts import has_values
from ...devices.kernel import ask, result_of, run
from ...dispatch import dispatcher, written_memory
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.values import number_in
from ..view.view import strided

_POSITIONS = (dtypes.int64, dtypes.int32)
_MASKS = (dtypes.bool_, dtypes.uint8)


class Plan(NamedTuple):
    """What an indexed access works on: a source whose indexed dimensions lie side by side, and their positions."""

    source: Tensor
    positions: list[Tensor]
    before: int  # dimensions in front of the indexed ones
    shape: tuple[int, ...]  # of the result


def plan(self, indices) -> Plan:
    """Masks become positions, positions are broadcast, and the dimensions they index are brought together."""
    dims, positions = _positions(self, indices)
    _broadcast(positions)
    positions = [p if p.dtype is dtypes.int64 else aten.to(p, dtypes.int64) for p in positions]
    source, before = self, dims[0]
    if dims[-1] - dims[0] != len(dims) - 1:
        source = aten.permute(self, (*dims, *[d for d in range(ndim_of(self)) if d not in dims]))
        before = 0
    after = before + len(dims)
    sizes, spread = shape_of(source), shape_of(positions[0])
    if 0 in sizes[before:after] and 0 not in spread:
        raise IndexError("index is out of bounds for dimension with size 0")
    shape = (*sizes[:before], *spread, *sizes[after:])
    if not dispatcher.is_unobserved():
        _show_views(source, positions, before, shape)
    return Plan(source, positions, before, shape)


def _show_views(source, positions, before: int, shape) -> None:
    """The rows of the views by which torch's loop walks a source and its positions."""
    sizes, strides, spread = shape_of(source), strides_of(source), shape_of(positions[0])
    after = before + len(positions)
    # The source as the result walks it: standing still where positions decide.
    if 0 not in sizes or 0 in spread:
        strided(source, shape, (*strides[:before], *[0] * len(spread), *strides[after:]))
    for p in positions:
        aten.reshape(p, (1,) * before + spread + (1,) * (len(sizes) - after))


def _positions(self, indices):
    """The indexed dimensions and a tensor of positions for each."""
    if not indices:
        raise IndexError("at least one index must be provided")
    given = sum([0 if t is None else ndim_of(t) if t.dtype in _MASKS else 1 for t in indices])
    for t in indices:
        if t is not None and t.dtype not in _POSITIONS and t.dtype not in _MASKS:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    dims, positions, at = [], [], 0
    for t in indices:
        if t is None:
            at += 1
        elif t.dtype in _MASKS:
            places = _where_true(self, t, at)
            for j in range(ndim_of(t)):
                dims.append(at + j)
                positions.append(aten.select(places, 1, j))
            at += ndim_of(t)
        else:
            dims.append(at)
            positions.append(t)
            at += 1
    if at > ndim_of(self):
        raise IndexError(f"too many indices for tensor of dimension {ndim_of(self)} (got {given})")
    return dims, positions


def _where_true(self, mask, at: int):
    if mask.dtype is dtypes.uint8:
        warn_user("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")
    _check_mask(self, mask, at)
    return aten.nonzero(mask)


def _check_mask(self, mask, at: int) -> None:
    shape = shape_of(self)
    for j, n in enumerate(shape_of(mask)):
        if at + j >= len(shape) or n != shape[at + j]:
            raise IndexError(f"The shape of the mask {list(shape_of(mask))} at index {j} does not match the "
                             f"shape of the indexed tensor {list(shape)} at index {at + j}")


def _broadcast(positions) -> None:
    shape = shape_of(positions[0])
    if all([shape_of(p) == shape for p in positions]):
        return
    try:
        for p in positions:
            shape = broadcast_shapes(shape, shape_of(p))
    except RuntimeError:
        listed = ", ".join([str(list(shape_of(p))) for p in positions])
        raise IndexError("shape mismatch: indexing tensors could not be broadcast together with shapes "
                         "" + listed) from None
    positions[:] = [p if shape_of(p) == shape else aten.expand(p, shape) for p in positions]


class Index(Op):
    """The elements at given positions."""

    schema = "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"
    variants = "method"

    def body(self, indices):
        if len(indices) == 1 and indices[0].dtype is dtypes.bool_ and dispatcher.is_unobserved():
            mask = indices[0]
            _check_mask(self, mask, 0)
            return result_of(ask.take_masked(self, mask), self.dtype)
        access = plan(self, indices)
        out = blank(access.shape, self.dtype)
        run.index(out, access.source, access.positions, access.before)
        return out

    def grad_self(grad, self_shape, indices):
        return aten._index_put_impl_(aten.new_zeros(grad, self_shape), indices, grad, True, True)


class IndexPutImpl(Op):
    """Values written to, or added at, given positions."""

    schema = ("_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, "
              "bool unsafe=False) -> Tensor(a!)")
    overlap = "expanded_warns shares_inputs"
    node = "IndexPutImplBackward0"

    def body(self, indices, values, accumulate, unsafe):
        mask = None if accumulate or numel_of(values) != 1 else _single_mask(self, indices)
        if mask is not None:
            return aten.masked_fill_(self, mask, number_in(values))
        for tensor in (values, *indices):
            if tensor is not None:
                written_memory.refuse(self, tensor, wholly=True)
        if not indices:
            _fits(self, values, shape_of(self))
            raise RuntimeError("index_put_: at least one index is wanted")
        if not has_values(self) and any([t is not None and t.dtype in _MASKS for t in indices]):
            return self  # how many places a mask names depends on its values
        access = plan(self, indices)
        _fits(self, values, access.shape)
        run.index_put(access.source, access.positions, values, access.before, accumulate)
        return self

    def grad_self(grad, indices, values_shape, accumulate):
        return grad if accumulate else _zeroed(grad, indices, values_shape)

    def grad_values(grad, indices):
        return aten.index(grad, indices)


def _zeroed(grad, indices, values_shape):
    """A gradient without what was written over."""
    return aten.index_put(grad, indices, aten.zeros(values_shape, dtype=grad.dtype), False)


def _single_mask(self, indices):
    """The mask if one is all there is: then one value is filled in under it."""
    mask = None
    for at, t in enumerate(indices):
        if t is None:
            continue
        if mask is not None or t.dtype not in _MASKS:
            return None
        mask, dim = t, at
    shape = shape_of(self)
    if mask is None or shape[dim:dim + ndim_of(mask)] != shape_of(mask):
        return None
    for _ in range(len(shape) - dim - ndim_of(mask)):
        mask = aten.unsqueeze(mask, -1)
    return mask


def _fits(self, values, shape) -> None:
    have = shape_of(values)
    if have != shape and (len(have) > len(shape) or any([n not in (1, m) for n, m in zip(have[::-1], shape[::-1])])):
        raise RuntimeError(f"shape mismatch: value tensor of shape {list(have)} cannot be broadcast to indexing "
                           f"result of shape {list(shape)}")
    if self.dtype is not values.dtype:
        raise RuntimeError("Index put requires the source and destination dtypes match, got "
                           f"{self.dtype.short} for the destination and {values.dtype.short} for the source.")


class IndexPut(Op):
    """Values written to given positions."""

    schema = "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor"
    overlap = "expanded shares_inputs"
    variants = "method inplace"

    def body(self, indices, values, accumulate):
        return aten.index_put_(aten.clone(self), indices, values, accumulate)

    def inplace(self, indices, values, accumulate):
        return aten._index_put_impl_(self, indices, values, accumulate, False)

    def grad_self(grad, indices, values_shape, accumulate):
        return grad if accumulate else _zeroed(grad, indices, values_shape)

    def grad_values(grad, indices):
        return aten.index(grad, indices)


class Nonzero(Op):
    """The positions of all elements that are not zero, one to a row."""

    schema = "nonzero(Tensor self) -> Tensor"
    internal = "callers.py chooses between this and nonzero_numpy"
    variants = "out"
    overlap = "spares_inputs"
    below = "makes a new tensor"

    def body(self, out=None):
        if out is not None and out.dtype is not dtypes.int64:
            raise RuntimeError(f"nonzero: Expected out tensor to have scalar type Long but got scalar type"
                               f"{out.dtype.short}")
        if out is None and ndim_of(self) and dispatcher.is_unobserved():
            positions = result_of(ask.nonzero_rows(self), dtypes.int64)
            return positions if numel_of(positions) else allocate(Spec(shape_of(positions), dtypes.int64, (1, 1)))
        columns = ask.nonzero(self)
        shape = (len(columns[0]), ndim_of(self))
        if out is None:
            out = aten.empty((0,), dtype=dtypes.int64)
        if shape_of(out) != shape:
            resize_output(out, shape, (1, max(shape[0], 1)))  # column by column, so that each is contiguous
        run.write_columns(out, columns)
        return out


class NonzeroNumpy(Op):
    """The positions of all elements that are not zero, one tensor for each dimension."""

    schema = "nonzero_numpy(Tensor self) -> Tensor[]"
    internal = "callers.py chooses between this and nonzero"

    def body(self):
        if not ndim_of(self):
            self = aten.unsqueeze(self, 0)
        return aten.unbind(aten.nonzero(self), 1)


class Argwhere(Op):
    """The positions of all elements that are not zero."""

    schema = "argwhere(Tensor self) -> Tensor"
    variants = "method"

    def body(self):
        return aten.nonzero(self)


def index(self, indices):
    """index() on arguments that need no reading."""
    return dispatcher.call(Index.op, (self, indices))
