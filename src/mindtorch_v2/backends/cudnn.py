"""torch.backends.cudnn: there is none; programs may set its switches, which switch nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from .settings import Settings

enabled = True
benchmark = False
deterministic = False
allow_tf32 = True
benchmark_limit: int | None = None
fp32_precision = "none"
conv, rnn = Settings(fp32_precision="none"), Settings(fp32_precision="none")


def is_available() -> bool:
    return False


def version() -> int | None:
    return None


def is_acceptable(tensor) -> bool:
    """False: no tensor is where it could be used."""
    return False


def set_flags(_enabled: bool | None = None, _benchmark: bool | None = None, _benchmark_limit: int | None = None,
              _deterministic: bool | None = None, _allow_tf32: bool | None = None,
              _fp32_precision: str = "none") -> tuple:
    """Set the switches that are given; those before."""
    given = {"enabled": _enabled, "benchmark": _benchmark, "benchmark_limit": _benchmark_limit,
             "deterministic": _deterministic, "allow_tf32": _allow_tf32, "fp32_precision": _fp32_precision}
    before = tuple(globals()[name] for name in given)
    globals().update({name: value for name, value in given.items() if value is not None})
    return before


@contextlib.contextmanager
def flags(enabled: bool = False, benchmark: bool = False, benchmark_limit: int = 10, deterministic: bool = False,
          allow_tf32: bool = True, fp32_precision: str = "none") -> Iterator[None]:
    """Switches inside a block."""
    before = set_flags(enabled, benchmark, benchmark_limit, deterministic, allow_tf32, fp32_precision)
    try:
        yield
    finally:
        set_flags(*before)
