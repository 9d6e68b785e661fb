"""What calls do with the tensors they are given: every distinct name with distinct inputs is looked at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from types import NoneType

import numpy as np

from ..kineto.event_tree import EventTree
from ..kineto.fields import _TensorMetadata
from ..kineto.tensor_types import types
from ..views import inputs as described_inputs
from ..views.record_scope import PYTHON_CALL
from . import schemas

# What becomes of a given tensor; a hidden one stands in a list of which torch shows nothing.
READ, WRITTEN, UNKNOWN, HIDDEN = range(4)
USES = {None: UNKNOWN, True: WRITTEN, False: READ}
NAME_BITS = 32


@dataclass(frozen=True)
class Signatures:
    """``of_row`` numbers the signatures of ops (-1: no op); the tensors of one are its cells from ``first`` on."""

    of_row: np.ndarray
    is_known: np.ndarray  # whether torch has a schema for it
    begins_with_tensor: np.ndarray
    first: np.ndarray
    use: np.ndarray
    spanned_bytes: np.ndarray


def signatures(tree: EventTree) -> Signatures:
    """Of all ops, backward nodes and ranges."""
    table = tree.table
    ops = np.flatnonzero(table["scope"] < PYTHON_CALL)
    codes = table["name"][ops].astype(np.int64) << NAME_BITS | (table["inputs"][ops] + 1)
    distinct, number = np.unique(codes, return_inverse=True)
    of_row = np.full(len(table), -1, np.int32)
    of_row[ops] = number
    is_known, begins_with_tensor, first, use, spanned = [], [], [0], [], []
    for code in distinct.tolist():
        name, inputs = table.names[code >> NAME_BITS][0], (code & (1 << NAME_BITS) - 1) - 1
        kinds, tensors = _read(table.inputs[inputs] if inputs >= 0 else ())
        fitting = schemas.matching(table.schemas.get(name, ()), kinds)
        is_known.append(bool(fitting))
        begins_with_tensor.append(kinds[:1] == (_TensorMetadata,))
        is_written = schemas.mutable(fitting, len(kinds))
        for place, tensor in tensors:
            use.append(HIDDEN if kinds[place] is NoneType else USES[is_written[place]])
            spanned.append(_spanned(*tensor))
        first.append(len(use))
    return Signatures(of_row, np.array(is_known, bool), np.array(begins_with_tensor, bool), np.array(first, np.int64),
                      np.array(use, np.int8), np.array(spanned, np.int64))


def _read(described: tuple) -> tuple[tuple[type, ...], list[tuple[int, tuple]]]:
    """The types of inputs as the event tree shows them; and the tensors among them, each behind its input's place."""
    kinds: list[type] = []
    tensors: list[tuple[int, tuple]] = []
    for value in described_inputs.positional(described):
        if described_inputs.is_tensor(value):
            tensors.append((len(kinds), value))
            kinds.append(_TensorMetadata)
        elif isinstance(value, tuple) and value[:1] == ("[]",):
            listed = [v for v in value[1:] if described_inputs.is_tensor(v)]
            tensors += [(len(kinds), tensor) for tensor in listed]
            kinds.append(list if described_inputs.is_tensor_list(value) else NoneType)
        else:
            kinds.append(type(described_inputs.number(value)))
    return tuple(kinds), tensors


def _spanned(shape: tuple[int, ...], dtype: str, strides: tuple[int, ...]) -> int:
    return spanned_bytes(shape, strides, types.by_name(dtype).itemsize)


def spanned_bytes(sizes: Sequence[int], strides: Sequence[int], itemsize: int) -> int:
    """Bytes from the first to the last element a tensor can reach, whole strides counted."""
    return max(map(mul, sizes, strides), default=1) * itemsize
