"""What a row remembers of a call's inputs, in plain Python: the reading of describe.pyx.

Shapes, types, strides and plain values, as one hashable key; equal inputs share its number.
"""

from __future__ import annotations

from ..record import rows
from ..record.layout import EXECUTED, INPUTS, TENSORS
from ..record.names import inputs
from . import executed, strided
from .identity import address_of
from .plain_values import DEPTH, items_of, plain
from .tensor import Tensor, identity_of


def open_call(name: int, scope: int, sequence: int, args, wanted: int, forward_thread: int) -> int:
    """Open a row for a call, with as much of its inputs as is wanted."""
    row = rows.open_row(name, scope, sequence, described(args) if wanted & INPUTS else -1, forward_thread)
    if wanted & TENSORS:
        _note(row, args, 0, 0)
    if wanted & EXECUTED:
        executed.note_given(row, args)
    return row


open_row = open_call


def described(args) -> int:
    """The number under which these inputs are stored."""
    return inputs.number(tuple([one(a) for a in args]))


def _note(row: int, args, slot: int, depth: int) -> int:
    """Keep which tensors a call was given, lists opened; the number of the next slot."""
    for value in args:
        if issubclass(type(value), Tensor):
            rows.tensor_given(row, slot, identity_of(value), address_of(value._mt_storage))
            slot += 1
        elif depth < DEPTH and (type(value) is list or issubclass(type(value), tuple)):
            slot = _note(row, items_of(value), slot, depth + 1)
    return slot


def one(value, depth: int = 0):
    """One input as a hashable value; profiler/views/inputs.py reads it."""
    if issubclass(type(value), Tensor):
        if value._mt_kind is not None and value._mt_kind.layout.name != "strided":
            return (tuple(value._mt_array.shape), value.dtype.name, (), value._mt_kind.layout.name)
        return (tuple(value._mt_array.shape), value.dtype.name, strided.strides(value._mt_array))
    return plain(value, one, depth)
