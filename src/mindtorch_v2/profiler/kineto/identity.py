"""Which sights of memory are the same memory, and which the same tensor: numbers as torch gives them.

An address says little: the allocator gives it out again. Between an allocation and its release it is one allocation,
with a number of its own. Tensors on one allocation are one tensor, and so are all allocations that one tensor object
had in turn (``resize_``, ``set_``).
"""

from __future__ import annotations

import numpy as np

# One sight: when, of which tensor object (0: none, the allocator reports), of which storage, bytes that changed.
SIGHT = np.dtype([("time_ns", "i8"), ("tensor", "i8"), ("address", "i8"), ("change", "i8")])


def identify(sights: np.ndarray) -> list[tuple[int | None, int]]:
    """Per sight the number of the tensor and of the allocation, both in the order in which they were first seen.

    Memory that no event was ever given as a tensor has no tensor's number, as in torch.
    """
    order = np.argsort(sights["time_ns"], kind="stable")
    ordered = sights[order]
    allocation = allocations(ordered["address"], ordered["change"])
    numbers = np.empty((len(sights), 2), np.int64)
    numbers[order, 0], numbers[order, 1] = tensors(ordered["tensor"], allocation), allocation
    return [(None if tensor < 0 else tensor, allocation) for tensor, allocation in numbers.tolist()]


def allocations(address: np.ndarray, change: np.ndarray) -> np.ndarray:
    """A number per sight of an address, from 1: a new one at every allocation and after every release."""
    if not len(address):
        return np.zeros(0, np.int64)
    order = np.argsort(address, kind="stable")
    place, size = address[order], change[order]
    begins = np.r_[True, (place[1:] != place[:-1]) | (size[1:] > 0) | (size[:-1] < 0)]
    segment = np.cumsum(begins) - 1
    first_seen = order[begins]
    number = np.empty(len(first_seen), np.int64)
    number[np.argsort(first_seen)] = np.arange(1, len(first_seen) + 1)
    found = np.empty(len(address), np.int64)
    found[order] = number[segment]
    return found


def tensors(tensor: np.ndarray, allocation: np.ndarray) -> np.ndarray:
    """A number per sight, from 0, shared by the allocations that one tensor object had in turn; -1 for no tensor."""
    pairs = np.unique(np.stack([tensor, allocation])[:, tensor != 0], axis=1)
    again = 1 + np.flatnonzero(pairs[0, 1:] == pairs[0, :-1])
    leader: dict[int, int] = {}

    def first_of(number: int) -> int:
        while number in leader:
            number = leader[number]
        return number

    for at in again.tolist():
        one, other = first_of(int(pairs[1, at - 1])), first_of(int(pairs[1, at]))
        if one != other:
            leader[max(one, other)] = min(one, other)
    merged = np.arange(allocation.max(initial=0) + 1)
    for number in leader:
        merged[number] = first_of(number)
    used = np.unique(merged[allocation[tensor != 0]])
    at = np.searchsorted(used, merged[allocation])
    return np.where(np.isin(merged[allocation], used), at, -1)
