"""A Python number in another type: what most casts are. The cast is done at once; where somebody records, the rows of
the ops that torch does it by are written around it."""

from __future__ import annotations

from ..core import describe, strided
from ..core.device import strided as strided_layout
from ..core.tensor import identity_of, new_tensor
from ..devices.cpu import copying
from ..record import rows
from ..record.layout import INPUTS, TENSORS
from ..record.names import inputs, names
from . import dispatcher

TO, TO_COPY = names.declare("aten::to", "dtype"), names.declare("aten::_to_copy")
EMPTY_STRIDED, COPY = names.declare("aten::empty_strided"), names.declare("aten::copy_")


def number_in(number, dtype):
    """The number in a type; None where somebody sees more of a cast than its rows, or the type is not a plain one."""
    if not dispatcher.is_plain():
        return None
    array = strided.empty((), dtype.numpy)
    if not copying.copy_plain(array, number._mt_array):
        return None
    wanted = rows.listening()
    return shown(number, array, dtype, wanted) if wanted else new_tensor(array, dtype)


def shown(number, array, dtype, wanted):
    """The cast as rows: to, in it _to_copy, in that empty_strided, which allocates, and copy_."""
    described: CastInputs = inputs_of(number, dtype) if wanted & INPUTS else NOT_DESCRIBED
    to = rows.open_row(TO, 0, -1, described.to, 0)
    if wanted & TENSORS:
        note(to, 0, number)
    to_copy = rows.open_row(TO_COPY, 0, -1, described.to_copy, 0)
    if wanted & TENSORS:
        note(to_copy, 0, number)
    try:
        empty = rows.open_row(EMPTY_STRIDED, 0, -1, described.empty_strided, 0)
        try:
            result = new_tensor(array, dtype)
        finally:
            rows.close_row(empty)
        if wanted & INPUTS and described.copy < 0:
            described.copy = describe.described((result, number, False))
        copy = rows.open_row(COPY, 0, -1, described.copy, 0)
        if wanted & TENSORS:
            note(copy, 0, result)
            note(copy, 1, number)
        rows.close_row(copy)
        return result
    finally:
        rows.close_row(to_copy)
        rows.close_row(to)


def note(row, slot, tensor):
    """Keep that a row was given a tensor."""
    rows.tensor_given(row, slot, identity_of(tensor), tensor._mt_storage.address)


class CastInputs:
    """The numbers under which the inputs of a cast's ops are stored; -1 where they are not wanted."""

    def __init__(self, to=-1, to_copy=-1, empty_strided=-1, copy=-1):
        self.to = to
        self.to_copy = to_copy
        self.empty_strided = empty_strided
        self.copy = copy


def inputs_of(number, dtype):
    """The inputs of a cast from one type to another, which are alike for all numbers: they are described once."""
    key = number.dtype.code << 6 | dtype.code
    described = known.get(key)
    if described is None:
        calls = ((number, dtype, False, False, None), (number, dtype, None, None, None, False, None),
                 ((), (), dtype, strided_layout, None, False))  # copy_ has a result that is not there yet
        described = known[key] = CastInputs(*[describe.described(call) for call in calls])
    return described


NOT_DESCRIBED = CastInputs()
known: dict[int, CastInputs] = {}
inputs.when_forgotten.append(known.clear)
