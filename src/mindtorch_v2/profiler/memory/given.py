"""The tensors that ops were given, by key, and what the ops do with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kineto.event_tree import EventTree
from ..kineto.identity import NO_TENSOR
from .signatures import HIDDEN, Signatures

NO_KEY = -1


@dataclass(frozen=True)
class Keys:
    """Tensors on their allocations, numbered in torch's order: by tensor, then by allocation."""

    tensor: np.ndarray
    allocation: np.ndarray
    of_allocation: np.ndarray

    def __len__(self) -> int:
        return len(self.tensor)


def keys(tensor_of_allocation: np.ndarray) -> Keys:
    """Of all allocations on which a tensor was seen."""
    named = np.flatnonzero(tensor_of_allocation != NO_TENSOR)
    allocation = named[np.argsort(tensor_of_allocation[named], kind="stable")].astype(np.int32)
    of_allocation = np.full(len(tensor_of_allocation), NO_KEY, np.int32)
    of_allocation[allocation] = np.arange(len(allocation))
    return Keys(tensor_of_allocation[allocation], allocation, of_allocation)


@dataclass(frozen=True)
class Given:
    """Row by row: the key, what becomes of it, and where the signature describes the tensor."""

    row: np.ndarray
    key: np.ndarray
    use: np.ndarray
    cell: np.ndarray


def given(tree: EventTree, signatures: Signatures, of_allocation: np.ndarray) -> Given:
    """Those with memory that the event tree shows; a row's tensors are described in the order in which it got them."""
    recorded = tree.recorded
    row, key = recorded.given["event"].astype(np.int32), of_allocation[recorded.numbers.of_given]
    begins = np.flatnonzero(np.diff(row, prepend=NO_KEY))
    place = np.arange(len(row)) - np.repeat(begins, np.diff(begins, append=len(row)))
    signature = signatures.of_row[row]
    cell = signatures.first[signature] + place
    shown = np.flatnonzero((signature >= 0) & (cell < signatures.first[signature + 1]) & (key != NO_KEY)
                           & (recorded.given["storage"] != 0))
    use = signatures.use[cell[shown]]
    shown, use = shown[use != HIDDEN], use[use != HIDDEN]
    return Given(row[shown], key[shown], use, cell[shown].astype(np.int32))
