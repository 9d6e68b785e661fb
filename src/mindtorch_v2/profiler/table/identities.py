"""Which tensors events were given, and which modules and optimizers they called: declared columns beside the events."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from . import columns


class Identities(NamedTuple):
    """Rows as columns.py declares them; ``modules`` and ``optimizers`` hold what is known of each that was called."""

    tensors: np.ndarray
    module_calls: np.ndarray
    optimizer_calls: np.ndarray
    modules: list
    optimizers: list


def nothing() -> Identities:
    """Of a profile that followed no tensors and no calls."""
    return Identities(*(np.zeros(0, columns.row_type(declared)) for declared in
                        (columns.TENSORS, columns.MODULE_CALLS, columns.OPTIMIZER_CALLS)), [], [])


class Known:
    """Identities that are kept; those who ask get rows of their own, which they may change."""

    def __init__(self, identities: Identities):
        self._identities = identities

    def __call__(self) -> Identities:
        known = self._identities
        return known._replace(**{name: getattr(known, name).copy() for name in
                                 ("tensors", "module_calls", "optimizer_calls")})


class Joined:
    """The identities of several tables, one behind the other, worked out when somebody asks."""

    def __init__(self, parts: list[Callable[[], Identities]]):
        self._parts = parts

    def __call__(self) -> Identities:
        parts = [part() for part in self._parts]
        modules, optimizers = [], []
        for part in parts:
            part.module_calls["module"] += len(modules)
            part.optimizer_calls["optimizer"] += len(optimizers)
            modules += part.modules
            optimizers += part.optimizers
        tensors, module_calls, optimizer_calls = map(np.concatenate, zip(*(part[:3] for part in parts)))
        return Identities(tensors, module_calls, optimizer_calls, modules, optimizers)
