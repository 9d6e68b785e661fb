"""The threads that kernels share their loops with: where nothing is compiled, there are none."""

from __future__ import annotations


def set_threads(count: int) -> None:
    """How many threads a loop may use, the caller's own included: noted by compiled kernels alone."""


def get_threads() -> int:
    return 1
