"""torch._dynamo.utils: what the compiler can do and has done, which is nothing."""

from __future__ import annotations

from collections import Counter, defaultdict

# What torch counts while it compiles; empty.
counters: defaultdict[str, Counter] = defaultdict(Counter)


def is_compile_supported(device_type: str) -> bool:
    """False for every device: there is no compiler."""
    return False
