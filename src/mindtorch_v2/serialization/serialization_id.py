"""The id of an archive, PyTorch's digit for digit: a hash of its records' names, and one of their contents.

PyTorch combines the names in the order in which its C++ library keeps a set of strings, so that order is followed here.
"""

from __future__ import annotations

from collections.abc import Iterable

BITS_64 = (1 << 64) - 1
GOLDEN_RATIO = 0x9E3779B9
SEED, MULTIPLIER, SHIFT = 0xC70F6907, 0xC6A4A7935BD1E995, 47  # of MurmurHash64A, which hashes strings there
WORD = 8
# How many buckets such a set has, as it grows.
BUCKETS = (1, 13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061, 712697, 1447153)


def serialization_id(names: Iterable[str], contents: int) -> str:
    """Forty digits, from the names in the order they were written and the combined hash of the contents."""
    combined = 0
    for name_hash in _in_order_of_a_set([_murmur(name.encode()) for name in names]):
        combined = mixed(combined, name_hash)
    return f"{combined:020d}{contents:020d}"


def mixed(seed: int, value: int) -> int:
    """Two hashes in one."""
    return (seed ^ (value + GOLDEN_RATIO + (seed << 6) + (seed >> 2))) & BITS_64


def _murmur(text: bytes) -> int:
    value = (SEED ^ (len(text) * MULTIPLIER)) & BITS_64
    whole = len(text) // WORD * WORD
    for start in range(0, whole, WORD):
        word = int.from_bytes(text[start:start + WORD], "little") * MULTIPLIER & BITS_64
        word = (word ^ (word >> SHIFT)) * MULTIPLIER & BITS_64
        value = (value ^ word) * MULTIPLIER & BITS_64
    if whole < len(text):
        value = (value ^ int.from_bytes(text[whole:], "little")) * MULTIPLIER & BITS_64
    value = (value ^ (value >> SHIFT)) * MULTIPLIER & BITS_64
    return value ^ (value >> SHIFT)


def _in_order_of_a_set(hashes: list[int]) -> list[int]:
    """Hashes in the order of a hash set that they were put into one by one."""
    ordered: list[int] = []
    done = 0
    for size, larger in zip(BUCKETS, (*BUCKETS[1:], len(hashes))):
        ordered = _linked(ordered + hashes[done:size], size)
        done = size
        if len(hashes) <= size or larger < size:
            break
    return ordered


def _linked(hashes: list[int], size: int) -> list[int]:
    """One list through all buckets: a new bucket comes first, one more of a bucket before the others in it."""
    following: dict[int | None, int | None] = {None: None}
    before: dict[int, int | None] = {}
    for value in hashes:
        bucket = value % size
        if bucket in before:
            place = before[bucket]
        else:
            place, first = None, following[None]
            before[bucket] = None
            if first is not None:
                before[first % size] = value
        following[value] = following[place]
        following[place] = value
    ordered, value = [], following[None]
    while value is not None:
        ordered.append(value)
        value = following[value]
    return ordered
