"""The locks of this package, in one list: a forked child finds none of them held by a thread that it does not have."""

from __future__ import annotations

import os
import threading
import weakref
from importlib import import_module
from types import ModuleType

import numpy.ma  # noqa: F401 - np.unique imports it when first called; a child forked then would wait for that import

LONGEST_WAIT_S = 5.0
_importing = threading.RLock()
_locks: weakref.WeakSet = weakref.WeakSet()


def new_lock():
    """A lock that its thread may take again: a garbage collection inside may come back to where it is held."""
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def new_condition() -> threading.Condition:
    """A condition on such a lock."""
    return threading.Condition(new_lock())


def load(name: str, package: str) -> ModuleType:
    """Import a module while the program runs. A fork waits until it is there: a child that began in the middle would
    wait for ever for a thread that it does not have."""
    with _importing:
        return import_module(name, package)


def _wait_for_imports() -> None:
    _importing.acquire(timeout=LONGEST_WAIT_S)  # not for ever: who imports may wait for what the forking thread imports


def _go_on() -> None:
    if _importing._is_owned():
        _importing.release()


def _free_in_child() -> None:
    """Free what threads of the parent held; what the forking thread holds, it releases itself."""
    for lock in list(_locks):
        if not lock._is_owned():
            lock._at_fork_reinit()
    if _importing._is_owned():
        _importing.release()
    else:
        _importing._at_fork_reinit()


if hasattr(os, "register_at_fork"):  # before anybody else's: this module is imported first by all who have locks
    os.register_at_fork(before=_wait_for_imports, after_in_parent=_go_on, after_in_child=_free_in_child)
