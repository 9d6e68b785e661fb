"""Addresses on all devices as one kind of number: above the bits of an address stand the device's kind and index.

On the processor both are 0, so that its addresses are what they are.
"""

from __future__ import annotations

# torch's numbers of the kinds of device that hold tensors, by name; any other name is that of a program's own.
KINDS = {"cpu": 0, "cuda": 1, "hip": 6, "xpu": 12, "meta": 14, "hpu": 15, "mtia": 19}
OWN = 20
ADDRESS_BITS, INDEX_BITS = 48, 10
ADDRESS = (1 << ADDRESS_BITS) - 1
INDEX = (1 << INDEX_BITS) - 1


def place_number(kind: int, index: int) -> int:
    """A device as what stands above an address; works on arrays too."""
    return kind << INDEX_BITS | index & INDEX


def kind_and_index(place: int) -> tuple[int, int]:
    return place >> INDEX_BITS, place & INDEX
