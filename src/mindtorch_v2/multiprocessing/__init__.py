"""torch.multiprocessing: Python's multiprocessing, with tensors that travel by shared memory and stay shared."""

import ctypes as _ctypes
import multiprocessing
import sys as _sys
from multiprocessing import *  # noqa: F403

from ..ops.python.sharing import STRATEGIES as _STRATEGIES
from ..ops.python.sharing import Strategy as _Strategy
from . import reductions
from .reductions import init_reductions
from .spawn import (
    ENV_VAR_PARALLEL_START,
    ProcessContext,
    ProcessExitedException,
    ProcessRaisedException,
    SpawnContext,
    spawn,
    start_processes,
)

__all__ = ["get_all_sharing_strategies", "get_sharing_strategy", "set_sharing_strategy", *multiprocessing.__all__]

_SET_NAME, _GET_NAME, _MOST_BYTES = 15, 16, 15  # Linux: two options of prctl, and how long a name may be


def set_sharing_strategy(new_strategy: str) -> None:
    """Share tensors by descriptors of files from now on, or by names of files, which cost no descriptors."""
    if new_strategy not in _STRATEGIES:
        raise AssertionError(f"invalid sharing strategy {new_strategy!r}, expected one of {_STRATEGIES}")
    _Strategy.current = new_strategy


def get_sharing_strategy() -> str:
    """How tensors are shared: file_descriptor or file_system."""
    return _Strategy.current


def get_all_sharing_strategies() -> set[str]:
    """The ways there are to share tensors on this system."""
    return _STRATEGIES


def _set_thread_name(name: str) -> None:
    """Name this thread as the system shows it, where it does."""
    if _sys.platform == "linux":
        _ctypes.CDLL(None).prctl(_SET_NAME, name.encode()[:_MOST_BYTES], 0, 0, 0)


def _get_thread_name() -> str:
    """The name of this thread as the system shows it."""
    name = _ctypes.create_string_buffer(_MOST_BYTES + 1)
    if _sys.platform == "linux":
        _ctypes.CDLL(None).prctl(_GET_NAME, name, 0, 0, 0)
    return name.value.decode(errors="replace")


init_reductions()
