"""x[...] and x[...] = y: Python's keys read into selects, slices, new dimensions, and tensors of positions."""

from __future__ import annotations

import operator

from ...core import dtype as dtypes
from ...core import operator_slots
from ...core.kinds import holds_many
from ...core.tensor import Tensor, blank, ndim_of, shape_of
from ...core.user_warning import warn_user
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.bind import plain_number
from ...opdef import table
from ...opdef.scalars import filling
from ..create.fill import FillTensor
from ..python.construct import LiftFresh, from_data
from ..python.nested_lists import type_of
from ..python.numpy_types import ANY_NUMBER, ARRAY, BOOLS, INTEGER, NUMBERS, SINGLE, is_bool, is_mask
from ..view.slice import Select, Slice
from ..view.squeeze import Unsqueeze
from .advanced_index import Index

_END = (1 << 63) - 1
MOST_PARTS = 32  # a longer list is one of numbers, whatever it holds, as in torch
_MASKS = (dtypes.bool_, dtypes.uint8)

_A_LIST_OF_PARTS = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
    "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], "
    "which will result either in an error or a different result")


def getitem(self: Tensor, key) -> Tensor:
    """What ``self[key]`` shows: a view unless the key holds tensors, lists or booleans."""
    kind = type(key)
    if kind is int:
        return _select(self, 0, key, 0)
    if kind is slice:
        start, stop, step = bounds(key)
        return dispatcher.call(_SLICE, (self, 0, start, stop, step))
    if key is None:
        return dispatcher.call(_UNSQUEEZE, (self, 0))
    if key is Ellipsis:
        return aten.alias(self)
    reading = read(self, as_tuple(key))
    if reading.positions:
        return dispatcher.call(_INDEX, (reading.shown, reading.positions))
    return aten.alias(self) if reading.shown is self else reading.shown


def setitem(self: Tensor, key, value) -> None:
    """``self[key] = value``, the value cast and broadcast."""
    value = assigned(self, value)
    kind = type(key)
    if key is False:
        return
    if key is True or key is None:
        copy_to(dispatcher.call(_UNSQUEEZE, (self, 0)), value)
    elif kind is int:
        copy_to(_select(self, 0, key, 0), value)
    else:
        reading = read(self, as_tuple(key))
        if reading.positions:
            dispatcher.call(_INDEX_PUT_IN_PLACE,
                            (reading.shown, reading.positions, _without_leading_ones(value), False))
        else:
            copy_to(reading.shown, value)


def iterate(self: Tensor):
    """The slices of the first dimension, one after the other."""
    if not self.dim():  # a subclass is asked, as in torch
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


def contains(self: Tensor, item) -> bool:
    """Whether any element equals the item."""
    if isinstance(item, Tensor):
        same = aten.eq(item, self)
    elif isinstance(item, ANY_NUMBER):
        same = aten.eq(self, plain_number(item))
    else:
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(item)}.")
    return bool(aten.item(aten.any(same)))


# -- keys --------------------------------------------------------------------------------------------------------------


def as_tuple(key) -> tuple:
    """A key as the tuple of its parts; a list stands for a tuple where it holds more than numbers."""
    if isinstance(key, tuple):
        return key if type(key) is tuple else tuple(key)
    if isinstance(key, list) and len(key) < MOST_PARTS and any([_is_part(part) for part in key]):
        warn_user(_A_LIST_OF_PARTS)
        return tuple(key)
    return (key,)


def _is_part(value) -> bool:
    return value is None or value is Ellipsis or isinstance(value, (Tensor, slice, list, tuple, ARRAY))


def bounds(key):
    """Start, end and step of a slice as integers; tensors give theirs by item()."""
    step = 1 if key.step is None else _bound(key.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    start = 0 if key.start is None else _bound(key.start)
    stop = _END if key.stop is None else _bound(key.stop)
    if step < 0:
        raise ValueError("step must be greater than zero")
    return start, stop, step


def _bound(value) -> int:
    if type(value) is int:
        return value
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, Tensor):
            raise
        raise TypeError("slice indices must be integers or None or have an __index__ method") from None


def _specified(parts) -> int:
    """How many dimensions a key speaks of."""
    count = 0
    for part in parts:
        if isinstance(part, Tensor):
            count += ndim_of(part) if part.dtype in _MASKS else 1
        elif isinstance(part, ARRAY) and is_bool(part):
            count += part.ndim
        elif part is not None and part is not Ellipsis and not isinstance(part, BOOLS):
            count += 1
    return count


class Reading:
    """A key being read from left to right: what is shown so far, and where in it the next part applies."""

    def __init__(self, shown, skipped):
        self.shown = shown
        self.skipped = skipped  # dimensions an ellipsis stands for
        self.dim = 0  # of what is shown
        self.real = 0  # of the tensor that was indexed, for complaints
        self.positions = []  # tensors of positions, None for dimensions that are taken whole
        self.covered = 0  # dimensions these speak of; a mask speaks of several

    def number(self, index):
        self.shown = _select(self.shown, self.dim, index, self.real)
        self.real += 1

    def range(self, key):
        start, stop, step = bounds(key)
        shape = shape_of(self.shown)
        # A part that takes everything shows no row; a scalar has nothing to slice and complains.
        if start != 0 or step != 1 or self.dim >= len(shape) or stop < shape[self.dim]:
            self.shown = dispatcher.call(_SLICE, (self.shown, self.dim, start, stop, step))
        self.dim += 1
        self.real += 1

    def new_dimension(self):
        self.shown = dispatcher.call(_UNSQUEEZE, (self.shown, self.dim))
        self.dim += 1

    def flag(self, value):
        """True keeps everything in the dimension just made, False nothing."""
        places = aten.empty((1 if value else 0,), dtype=dtypes.int64)
        self.place(aten.fill_(places, 0) if value else places, self.dim - 1, 1)

    def place(self, tensor, dim, dims):
        self.positions.extend([None] * (dim - self.covered))
        self.positions.append(tensor)
        self.covered = dim + dims

    def tensor(self, given):
        is_of_each = holds_many(given) and given.dtype not in _MASKS  # under vmap, no one number
        if ndim_of(given) or given.dtype.category > dtypes.INTEGRAL or is_of_each:
            dims = ndim_of(given) if given.dtype in _MASKS else 1
            self.place(given, self.dim, dims)
            self.dim += dims
            self.real += dims
        elif given.dtype in _MASKS:
            self.new_dimension()
            self.flag(bool(aten.item(given)))
        else:
            self.number(aten.item(given))

    def part(self, part):
        """Read one part of the key."""
        if type(part) is int or isinstance(part, INTEGER):
            self.number(int(part))
        elif isinstance(part, slice):
            self.range(part)
        elif part is None:
            self.new_dimension()
        elif part is Ellipsis:
            self.dim += self.skipped
            self.real += self.skipped
        elif isinstance(part, bool):
            self.new_dimension()
            self.flag(part)
        elif isinstance(part, Tensor):
            self.tensor(part)
        elif hasattr(part, "__getitem__") and not isinstance(part, (dict, SINGLE)):
            self.tensor(from_data(part, _index_type(part), None, copy=False))
        else:
            raise IndexError("only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
                             f"indices (got {_type_name(part)})")


def read(self, parts):
    """A key read to its end: the view its plain parts show, and the tensors of positions still to be applied to it."""
    specified = _specified(parts)
    ndim = ndim_of(self)
    if specified > ndim and not (ndim == 0 and len(parts) == 1):
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    reading = Reading(self, ndim - specified)
    for part in parts:
        reading.part(part)
    return reading


def _index_type(part):
    """Lists and arrays index as int64, unless they are masks."""
    if isinstance(part, ARRAY):
        return None if is_mask(part) else dtypes.int64
    dtype = type_of(part)
    return dtype if dtype in _MASKS else dtypes.int64


def _type_name(value) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _select(self, dim, index, real):
    shape = shape_of(self)
    if not shape:
        raise IndexError("invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in "
                         "C++ to "
                         "convert a 0-dim tensor to a number")
    size = shape[dim]
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {real} with size {size}")
    return dispatcher.call(_SELECT, (self, dim, index))


# -- values ------------------------------------------------------------------------------------------------------------


def assigned(self: Tensor, value) -> Tensor:
    """What is assigned, as a tensor; a number takes this tensor's type."""
    if isinstance(value, Tensor):
        return value
    if not isinstance(value, NUMBERS):
        raise TypeError(f"can't assign a {_type_name(value)} to a torch.{self.dtype.short}Tensor")
    if isinstance(value, int) and not -2**63 <= value < 2**63:
        raise ValueError("Overflow when unpacking long long")
    number = blank((), self.dtype)
    if type(value) is not bool:
        value = filling(plain_number(value), self.dtype)
    run.fill(number, value)
    return dispatcher.call(_LIFT_FRESH, (number,))


def copy_to(place: Tensor, value: Tensor) -> None:
    """Write a value into a view: one number fills it, anything else is broadcast."""
    shape = shape_of(place)
    if shape_of(value) == shape:
        aten.copy_(place, value)
    elif not ndim_of(value):
        dispatcher.call(_FILL_TENSOR, (place, value))
    else:
        value = aten.view(value, _stripped(shape_of(value)))
        aten.copy_(place, value if shape_of(value) == shape else aten.expand(value, shape))


def _stripped(shape) -> tuple[int, ...]:
    """A shape without ones in front, which never keep a value from fitting."""
    first = 0
    while first < len(shape) and shape[first] == 1:
        first += 1
    return shape[first:]


def _without_leading_ones(value: Tensor) -> Tensor:
    shape = shape_of(value)
    return aten.view(value, _stripped(shape)) if shape and shape[0] == 1 else value


for _sign in (getitem, setitem, iterate, contains):
    operator_slots.bind(_sign.__name__, _sign)


# The ops called above, looked up once.
_FILL_TENSOR = FillTensor.op
_INDEX = Index.op
_INDEX_PUT_IN_PLACE = table.find("index_put_")
_LIFT_FRESH = LiftFresh.op
_SELECT = Select.op
_SLICE = Slice.op
_UNSQUEEZE = Unsqueeze.op
