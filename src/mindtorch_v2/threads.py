"""How many threads kernels may use: loops of our own, and the products of matrices in the BLAS below NumPy."""

from __future__ import annotations

import functools
import os
import warnings
from pathlib import Path

import numpy as np
from numpy.linalg import _umath_linalg

from .devices.cpu import pool
from .devices.cpu.blas_threads import Blas, blas_below

_MOST = 2**31 - 1  # a C int


@functools.cache
def blas() -> Blas | None:
    """What NumPy was linked with, if it is known how to talk to it."""
    return blas_below(np, _umath_linalg)


def get_num_threads() -> int:
    """The number of threads that a kernel will use."""
    library = blas()
    return pool.get_threads() if library is None else library.get_threads()


def set_num_threads(num_threads: int) -> None:
    """Limit the threads of kernels and of BLAS, at once and in processes that are forked from here on."""
    _check("set_num_threads", num_threads)
    pool.set_threads(num_threads)
    library = blas()
    if library is None:
        warnings.warn("set_num_threads() has no effect on products of matrices: NumPy is linked with a BLAS that is "
                      "neither OpenBLAS, MKL nor BLIS; limit its threads by the environment variable that it reads",
                      stacklevel=2)
    else:
        library.set_threads(num_threads)


# The first of these that the environment sets says how many threads work.
VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def _at_first() -> int:
    """What the environment asks for, else one thread for each core."""
    for variable in VARIABLES:
        asked = os.environ.get(variable, "").split(",")[0].strip()
        if asked.isdigit() and int(asked) > 0:
            return int(asked)
    return max(1, min(_cores(), len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _cores()))


def _cores() -> int:
    """Physical cores, where the system tells them from the threads that they run."""
    try:
        siblings = {path.read_text() for path in Path("/sys/devices/system/cpu").glob("cpu*/topology/thread_siblings")}
    except OSError:
        siblings = set()
    return len(siblings) or os.cpu_count() or 1


def begin() -> None:
    """Give kernels and BLAS their first number of threads."""
    pool.set_threads(_at_first())
    library = blas()
    if library is not None and library.get_threads() != _at_first():
        library.set_threads(_at_first())


def _check(function: str, num_threads: int) -> None:
    if not isinstance(num_threads, int) or isinstance(num_threads, bool):
        raise RuntimeError(f"{function} expects an int, but got {type(num_threads).__name__}")
    if num_threads <= 0:
        raise RuntimeError(f"{function} expects a positive integer")
    if num_threads > _MOST:
        raise ValueError("Overflow when unpacking long")


class _Interop:
    """What set_num_interop_threads() was told."""

    told: int | None = None


def get_num_interop_threads() -> int:
    """How many ops may run at once. One does, whatever was set."""
    return _Interop.told or 1


def set_num_interop_threads(num_threads: int) -> None:
    """Noted, once: ops run one after the other here."""
    _check("set_num_interop_threads", num_threads)
    if _Interop.told is not None:
        raise RuntimeError("Error: cannot set number of interop threads after parallel work has started or "
                           "set_num_interop_threads called")
    _Interop.told = num_threads


def set_flush_denormal(mode: bool) -> bool:
    """Whether numbers too small to be normal can be flushed to zero: not here, so they are computed as they are."""
    if not isinstance(mode, bool):
        raise TypeError(f"set_flush_denormal(): argument 'mode' (position 1) must be bool, not {type(mode).__name__}")
    return False


begin()
