"""Advanced indexing: tensors of positions and masks, to read by and to write by."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.geometry import broadcast_shapes
from ...core.tensor import new_tensor
from ...core.user_warning import warn_user
from ...devices import cpu as kernels
from ...devices.cpu.errstate import silent
from ...dispatch import dispatcher, written_memory
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..create.copy import Resize
from ..view.view import strided

_POSITIONS = (dtypes.int64, dtypes.int32)
_MASKS = (dtypes.bool_, dtypes.uint8)


class Plan:
    """What an indexed access works on: a source whose indexed dimensions lie side by side, and arrays of positions."""

    def __init__(self, source, before: int, shape: tuple[int, ...], positions):
        self.source = source
        self.before = before  # dimensions in front of the indexed ones
        self.shape = shape  # of the result
        self.positions = positions

    def key(self) -> tuple:
        """The positions as NumPy reads them."""
        return (slice(None),) * self.before + tuple([p._mt_array for p in self.positions])

    def out_of_bounds(self) -> IndexError:
        """torch's complaint about the first position that does not exist; it counts the indexed dimensions alone."""
        sizes = self.source._mt_array.shape[self.before:]
        for d, p in enumerate(self.positions):
            bad = p._mt_array[(p._mt_array < -sizes[d]) | (p._mt_array >= sizes[d])]
            if bad.size:
                return IndexError(f"index {bad.flat[0]} is out of bounds for dimension {d} with size {sizes[d]}")
        return IndexError("index is out of bounds for dimension with size 0")


def plan(self, indices) -> Plan:
    """Masks become positions, positions are broadcast, and the dimensions they index are brought together."""
    dims, positions = _positions(self, indices)
    _broadcast(positions)
    positions = [p if p.dtype is dtypes.int64 else aten.to(p, dtypes.int64) for p in positions]
    source, before = self, dims[0]
    if dims[-1] - dims[0] != len(dims) - 1:
        source = aten.permute(self, (*dims, *[d for d in range(self.dim()) if d not in dims]))
        before = 0
    after = before + len(dims)
    sizes, strides, spread = source._mt_array.shape, source.stride(), positions[0]._mt_array.shape
    # The source as the result walks it: standing still where positions decide.
    seen = strided(source, (*sizes[:before], *spread, *sizes[after:]),
                   (*strides[:before], *[0] * len(spread), *strides[after:])) if 0 not in sizes or 0 in spread else None
    for p in positions:
        aten.reshape(p, (1,) * before + spread + (1,) * (len(sizes) - after))
    shape = (*sizes[:before], *spread, *sizes[after:]) if seen is None else seen._mt_array.shape
    return Plan(source, before, shape, positions)


def _positions(self, indices):
    """The indexed dimensions and a tensor of positions for each."""
    given = sum([0 if t is None else t.dim() if t.dtype in _MASKS else 1 for t in indices])
    for t in indices:
        if t is not None and t.dtype not in _POSITIONS and t.dtype not in _MASKS:
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    dims, found, at = [], [], 0
    for t in indices:
        if t is None:
            at += 1
        elif t.dtype in _MASKS:
            places = _where_true(self, t, at)
            for j in range(t.dim()):
                dims.append(at + j)
                found.append(aten.select(places, 1, j))
            at += t.dim()
        else:
            dims.append(at)
            found.append(t)
            at += 1
    if at > self.dim():
        raise IndexError(f"too many indices for tensor of dimension {self.dim()} (got {given})")
    return dims, found


def _where_true(self, mask, at: int):
    if mask.dtype is dtypes.uint8:
        warn_user("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")
    shape = self._mt_array.shape
    for j, n in enumerate(mask._mt_array.shape):
        if at + j >= len(shape) or n != shape[at + j]:
            raise IndexError(f"The shape of the mask {list(mask._mt_array.shape)} at index {j} does not match the "
                             f"shape of the indexed tensor {list(shape)} at index {at + j}")
    return aten.nonzero(mask)


def _broadcast(positions) -> None:
    shape = positions[0]._mt_array.shape
    if all([p._mt_array.shape == shape for p in positions]):
        return
    try:
        for p in positions:
            shape = broadcast_shapes(shape, p._mt_array.shape)
    except RuntimeError:
        listed = ", ".join([str(list(p._mt_array.shape)) for p in positions])
        raise IndexError("shape mismatch: indexing tensors could not be broadcast together with shapes "
                         "" + listed) from None
    positions[:] = [p if p._mt_array.shape == shape else aten.expand(p, shape) for p in positions]


class Index(Op):
    """The elements at given positions."""

    schema = "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"
    variants = "method"

    def body(self, indices):
        made = plan(self, indices)
        source = made.source._mt_array
        try:
            if len(made.positions) == 1:
                found = np.take(source, made.positions[0]._mt_array, made.before)
            else:
                found = np.ascontiguousarray(source[made.key()])
        except IndexError:
            raise made.out_of_bounds() from None
        return new_tensor(found, self.dtype)

    def grad_self(grad, self_shape, indices):
        return aten._index_put_impl_(aten.new_zeros(grad, self_shape), indices, grad, True, True)


class IndexPutImpl(Op):
    """Values written to, or added at, given positions."""

    schema = ("_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, "
              "bool unsafe=False) -> Tensor(a!)")
    overlap = "expanded_warns shares_inputs"
    node = "IndexPutImplBackward0"

    def body(self, indices, values, accumulate, unsafe):
        mask = None if accumulate or values.numel() != 1 else _single_mask(self, indices)
        if mask is not None:
            return aten.masked_fill_(self, mask, aten.item(values))
        for tensor in (values, *indices):
            if tensor is not None:
                written_memory.refuse(self, tensor, wholly=True)
        if not indices:
            _fits(self, values, self._mt_array.shape)
            raise RuntimeError("index_put_: at least one index is wanted")
        made = plan(self, indices)
        if 0 in made.source._mt_array.shape[made.before:made.before + len(made.positions)] \
                and made.positions[0]._mt_array.size:
            raise made.out_of_bounds()
        _fits(self, values, made.shape)
        try:
            _put(made, values._mt_array, accumulate)
        except IndexError:
            raise made.out_of_bounds() from None
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
    found = None
    for at, t in enumerate(indices):
        if t is None:
            continue
        if found is not None or t.dtype not in _MASKS:
            return None
        found, dim = t, at
    shape = self._mt_array.shape
    if found is None or shape[dim:dim + found.dim()] != found._mt_array.shape:
        return None
    for _ in range(len(shape) - dim - found.dim()):
        found = aten.unsqueeze(found, -1)
    return found


def _fits(self, values, shape) -> None:
    have = values._mt_array.shape
    if have != shape and (len(have) > len(shape) or any([n not in (1, m) for n, m in zip(have[::-1], shape[::-1])])):
        raise RuntimeError(f"shape mismatch: value tensor of shape {list(have)} cannot be broadcast to indexing "
                           f"result of shape {list(shape)}")
    if self.dtype is not values.dtype:
        raise RuntimeError("Index put requires the source and destination dtypes match, got "
                           f"{self.dtype.short} for the destination and {values.dtype.short} for the source.")


@silent
def _put(made: Plan, values, accumulate: bool) -> None:
    target = made.source._mt_array
    if not accumulate:
        target[made.key()] = values
    elif len(made.positions) == 1 and made.before == 0 and target.ndim > 1 and target.flags.c_contiguous \
            and target.dtype.char in "fd":
        add_rows(target, made.positions[0]._mt_array, np.broadcast_to(values, made.shape))
    else:
        np.add.at(target, made.key(), values)


def add_rows(target, positions, values) -> None:
    """Add rows at positions, which may repeat and may count from the end."""
    rows = target.reshape(len(target), -1)
    flat = np.ascontiguousarray(positions).reshape(-1)
    if not values.size:
        return
    if flat.size and flat.min() < 0:
        flat = np.where(flat < 0, flat + len(target), flat)
    if flat.size and (flat.min() < 0 or flat.max() >= len(target)):
        raise IndexError
    kernels.embedding.index_add(rows, flat, np.ascontiguousarray(values).reshape(flat.size, -1), 1.0)


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
    below = "makes a new tensor"

    def body(self):
        found = np.nonzero(self._mt_array) if self.dim() else ()
        count = len(found[0]) if found else int(bool(self._mt_array))
        out = aten.empty((0,), dtype=dtypes.int64)
        Resize.body(out, (count, self.dim()), None)
        aten.as_strided_(out, (count, self.dim()), (1, max(count, 1)))  # column by column, so that each is contiguous
        for j, column in enumerate(found):
            out._mt_array[:, j] = column
        return out


class NonzeroNumpy(Op):
    """The positions of all elements that are not zero, one tensor for each dimension."""

    schema = "nonzero_numpy(Tensor self) -> Tensor[]"
    internal = "callers.py chooses between this and nonzero"

    def body(self):
        if not self.dim():
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
