"""torch.utils._import_utils: which other packages are installed, without importing them."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from types import ModuleType


def _check_module_exists(name: str) -> bool:
    """Whether a module could be imported."""
    try:
        return importlib.util.find_spec(name) is not None
    except ImportError:
        return False


@functools.lru_cache
def dill_available() -> bool:
    return _check_module_exists("dill")


@functools.lru_cache
def import_dill() -> ModuleType | None:
    """dill, kept from changing what pickle itself does; None where it is not installed."""
    if not dill_available():
        return None
    dill = importlib.import_module("dill")
    dill.extend(use_dill=False)
    return dill
