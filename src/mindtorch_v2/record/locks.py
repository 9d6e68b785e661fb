"""The locks of this package, in one list: a forked child finds none of them held by a thread that it does not have."""

from __future__ import annotations

import os
import threading
import weakref

import numpy.ma  # noqa: F401 - np.unique imports it when first called; a child forked then would wait for that import

_locks: weakref.WeakSet = weakref.WeakSet()


def new_lock():
    """A lock that its thread may take again: a garbage collection inside may come back to where it is held."""
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def _free_in_child() -> None:
    """Free what threads of the parent held; what the forking thread holds, it releases itself."""
    for lock in list(_locks):
        if not lock._is_owned():
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):  # before anybody else's: this module is imported first by all who have locks
    os.register_at_fork(after_in_child=_free_in_child)
