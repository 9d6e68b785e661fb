"""Which sights of memory are the same memory, and which the same tensor: numbers as torch gives them.

An address says little: the allocator gives it out again. Between an allocation and its release it is one allocation,
with a number of its own. Tensors on one allocation are one tensor, and so are all allocations that one tensor object
had in turn (``resize_``, ``set_``).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

# Columns of sights: when, of which tensor object (0: none, the allocator reports), of which storage, bytes changed.
SIGHT = ("time_ns", "tensor", "address", "change")
NO_ALLOCATION = 0  # their numbers begin at 1
NO_TENSOR = -1


def identify(column: Callable[[str], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Per sight the number of the allocation, and per such number that of the tensor; both count first sights.

    Columns are asked for one after the other, so that they need not all be there at once. Memory that no event was ever
    given as a tensor has no tensor's number, as in torch.
    """
    order = np.argsort(column("time_ns"), kind="stable")
    allocation = np.empty(len(order), np.int32)
    allocation[order] = allocations(column("address")[order], column("change")[order])
    del order
    return allocation, tensors(column("tensor"), allocation)


def allocations(address: np.ndarray, change: np.ndarray) -> np.ndarray:
    """A number per sight of an address, from 1: a new one at every allocation and after every release."""
    if not len(address):
        return np.zeros(0, np.int32)
    order = np.argsort(address, kind="stable")
    begins = _differs(address[order])
    size = np.sign(change).astype(np.int8)[order]
    begins[1:] |= (size[1:] > 0) | (size[:-1] < 0)
    first_seen = order[begins]
    number = np.empty(len(first_seen), np.int32)
    number[np.argsort(first_seen)] = np.arange(1, len(first_seen) + 1)
    per_sight = np.empty(len(address), np.int32)
    per_sight[order] = np.repeat(number, np.diff(np.flatnonzero(begins), append=len(begins)))
    return per_sight


def _differs(values: np.ndarray) -> np.ndarray:
    """Whether a value is another than the one before."""
    return np.r_[True, values[1:] != values[:-1]]


def tensors(tensor: np.ndarray, allocation: np.ndarray) -> np.ndarray:
    """A number per allocation, from 0, shared by those that one tensor object had in turn; -1 for no tensor."""
    is_tensor = tensor != 0
    of_tensor, number = tensor[is_tensor], allocation[is_tensor]
    order = np.argsort(of_tensor, kind="stable")
    of_tensor, in_turn = of_tensor[order], number[order]
    moves = np.flatnonzero((of_tensor[1:] == of_tensor[:-1]) & (in_turn[1:] != in_turn[:-1]))
    merged = _merged(in_turn[moves], in_turn[moves + 1], int(allocation.max(initial=NO_ALLOCATION)))
    used = np.zeros(len(merged), bool)
    used[merged[number]] = True
    return np.where(used, np.cumsum(used) - 1, NO_TENSOR).astype(np.int32)[merged]


def _merged(one: np.ndarray, other: np.ndarray, last: int) -> np.ndarray:
    """For every number up to the last the least that it is linked with, by any chain of pairs."""
    leader: dict[int, int] = {}

    def first_of(number: int) -> int:
        above = number
        while above in leader:
            above = leader[above]
        while number != above:  # the next who asks has a shorter way
            leader[number], number = above, leader[number]
        return above

    for pair in zip(one.tolist(), other.tolist()):
        low, high = sorted(map(first_of, pair))
        if low != high:
            leader[high] = low
    merged = np.arange(last + 1)
    for number in list(leader):
        merged[number] = first_of(number)
    return merged
