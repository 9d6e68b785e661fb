"""Sample inputs: one row per op drives all generic op tests. Each file beside this one mirrors a file of ops/."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """An expression over named inputs; each input is a builder's call, so that torch and ours see the same numbers."""

    expression: str
    inputs: tuple[tuple[str, str], ...]


def S(expression: str, **inputs: str) -> Sample:
    """A row of the sample tables."""
    return Sample(expression, tuple(inputs.items()))
