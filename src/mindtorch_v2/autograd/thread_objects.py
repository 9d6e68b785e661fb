"""Objects that a program keeps for one thread by name, and finds again in the passes that it starts."""

from __future__ import annotations

import threading

_thread = threading.local()


def _stash_obj_in_tls(key: str, value: object) -> None:
    """Keep an object for this thread."""
    vars(_thread)[key] = value


def _get_obj_in_tls(key: str) -> object:
    """An object that this thread keeps."""
    if key not in vars(_thread):
        raise RuntimeError(f"no object {key!r} was kept for this thread; torch._C._stash_obj_in_tls() keeps one")
    return vars(_thread)[key]


def _is_key_in_tls(key: str) -> bool:
    return key in vars(_thread)


def _remove_obj_from_tls(key: str) -> None:
    vars(_thread).pop(key, None)
