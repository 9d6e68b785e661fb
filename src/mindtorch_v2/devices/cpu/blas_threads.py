"""The BLAS that comes with a package: how its threads are set and counted."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

# How BLAS libraries call the functions that set and tell their number of threads. Wheels of NumPy and SciPy bring
# OpenBLAS under names of their own, with a suffix where its integers have 64 bits.
_NAMES = [
    *((f"{prefix}_set_num_threads{suffix}", f"{prefix}_get_num_threads{suffix}")
      for prefix in ("scipy_openblas", "openblas") for suffix in ("64_", "_64", "64", "")),
    ("MKL_Set_Num_Threads", "MKL_Get_Max_Threads"),
    ("bli_thread_set_num_threads", "bli_thread_get_num_threads"),
]


class Blas(NamedTuple):
    """A BLAS library: how its threads are set and counted."""

    set_threads: Callable[[int], object]
    get_threads: Callable[[], int]


def blas_below(package: ModuleType, linked: ModuleType) -> Blas | None:
    """What a module of a package is linked with, if it is known how to talk to it."""
    for path in _libraries(package, linked):
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        for set_name, get_name in _NAMES:
            if hasattr(library, set_name) and hasattr(library, get_name):
                return Blas(getattr(library, set_name), getattr(library, get_name))
    return None


def _libraries(package: ModuleType, linked: ModuleType) -> list[str]:
    """Where to look: the module, which finds what it is linked with, and what came with the package's wheel."""
    beside = Path(package.__file__).parent.parent / f"{package.__name__}.libs"
    return [linked.__file__, *(str(path) for path in sorted(beside.glob("*blas*")))]
