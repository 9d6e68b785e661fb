"""torch._dynamo.utils: what the compiler can do and has done, which is nothing."""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict

# What torch counts while it compiles; empty.
counters: defaultdict[str, Counter] = defaultdict(Counter)
warn_once_cache: set[str] = set()


def is_compile_supported(device_type: str) -> bool:
    """False for every device: there is no compiler."""
    return False


def warn_once(msg: str, stacklevel: int = 1) -> None:
    """Warn, unless the same was said before."""
    if msg not in warn_once_cache:
        warn_once_cache.add(msg)
        warnings.warn(msg, stacklevel=stacklevel + 1)
