"""How many threads a product of matrices may use; everything else here runs on the thread that calls it."""

from __future__ import annotations

import os

try:
    import threadpoolctl
except ImportError:
    threadpoolctl = None

# Where BLAS libraries read their number of threads when they are loaded.
_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")


class _Chosen:
    """What set_num_threads() was told last; without threadpoolctl it is recorded only."""

    intra: int | None = None
    inter: int = 1
    limit = None


def _at_start() -> int:
    for name in _VARIABLES:
        if os.environ.get(name, "").isdigit():
            return int(os.environ[name])
    return os.cpu_count() or 1


def get_num_threads() -> int:
    """The number of threads of BLAS, as far as it can be known."""
    if threadpoolctl is not None:
        found = [pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
        if found:
            return max(found)
    return _Chosen.intra or _at_start()


def set_num_threads(num_threads: int) -> None:
    """Limit the threads of BLAS; takes effect at once where threadpoolctl is installed."""
    if not isinstance(num_threads, int):
        raise TypeError(f"set_num_threads expects an int, but got {type(num_threads).__name__}")
    if num_threads <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    _Chosen.intra = num_threads
    if threadpoolctl is not None:
        _Chosen.limit = threadpoolctl.threadpool_limits(num_threads, user_api="blas")


def get_num_interop_threads() -> int:
    """How many ops run at once: one."""
    return _Chosen.inter


def set_num_interop_threads(num_threads: int) -> None:
    """Recorded only: ops run one after the other."""
    if num_threads <= 0:
        raise RuntimeError("set_num_interop_threads expects a positive integer")
    _Chosen.inter = num_threads
