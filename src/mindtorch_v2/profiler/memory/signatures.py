"""What calls do with the tensors they are given: every distinct name with distinct inputs is looked at once."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType

import numpy as np

from ..kineto.event_tree import EventTree
from ..kineto.fields import _TensorMetadata
from ..views.record_scope import PYTHON_CALL
from . import schemas

# What becomes of a given tensor; a hidden one stands in a list of which torch shows nothing.
READ, WRITTEN, UNKNOWN, HIDDEN = range(4)
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
        name, inputs = table.names[code >> NAME_BITS][0], tree.described((code & (1 << NAME_BITS) - 1) - 1)
        kinds = tuple(_observed(kind, value) for kind, value in inputs)
        is_known.append(bool(schemas.matching(name, kinds)))
        begins_with_tensor.append(kinds[:1] == (_TensorMetadata,))
        for (kind, value), written in zip(inputs, schemas.mutable(name, kinds)):
            if kind == "hidden":
                use += [HIDDEN] * value
                spanned += [0] * value
            elif kind != "number":
                given = [value] if kind == "tensor" else value
                use += [UNKNOWN if written is None else WRITTEN if written else READ] * len(given)
                spanned += [spanned_bytes(sizes, strides, dtype.itemsize) for sizes, strides, dtype in given]
        first.append(len(use))
    return Signatures(of_row, np.array(is_known, bool), np.array(begins_with_tensor, bool), np.array(first, np.int64),
                      np.array(use, np.int8), np.array(spanned, np.int64))


def _observed(kind: str, value) -> type:
    """The type of an input as the event tree shows it."""
    return {"tensor": _TensorMetadata, "tensors": list, "hidden": NoneType}.get(kind) or type(value)


def spanned_bytes(sizes: list[int], strides: list[int], itemsize: int) -> int:
    """Bytes from the first to the last element a tensor can reach, whole strides counted."""
    return max((size * stride for size, stride in zip(sizes, strides)), default=1) * itemsize
