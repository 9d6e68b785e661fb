"""Profiles that record right now, the latest last: those to whom torch's functions without a profile speak."""

from __future__ import annotations

import weakref
from contextlib import suppress

_active: list[weakref.ref] = []


def begins(prof) -> None:
    """The profile records from now on."""
    _active.append(weakref.ref(prof))


def ends(prof) -> None:
    """It records no more."""
    for ref in list(_active):
        if ref() is prof or ref() is None:
            with suppress(ValueError):  # another thread was quicker
                _active.remove(ref)


def latest():
    """The profile that began last, or None."""
    return next((profile for ref in reversed(list(_active)) if (profile := ref()) is not None), None)
