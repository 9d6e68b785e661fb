"""How many bytes lie behind each key."""

from __future__ import annotations

import numpy as np

from ..kineto.event_tree import EventTree
from .given import NO_KEY, Given, Keys
from .signatures import Signatures
from .telling import Told


def sizes(tree: EventTree, signatures: Signatures, keys: Keys, given: Given, told: Told) -> np.ndarray:
    """What was allocated or released; of memory of which neither was seen, the most that a tensor on it spanned."""
    change = tree.changes["change"]
    of_change = keys.of_allocation[tree.recorded.numbers.of_memory]
    in_profile = np.zeros(len(keys), bool)
    in_profile[of_change[of_change != NO_KEY]] = True
    size = np.zeros(len(keys), np.int64)
    older = np.flatnonzero(~in_profile[given.key])
    np.maximum.at(size, given.key[older], signatures.spanned_bytes[given.cell[older]])
    for key, spanned in told.spanned.items():
        size[key] = max(size[key], spanned)
    size[of_change[of_change != NO_KEY]] = np.abs(change[of_change != NO_KEY])
    return size
