"""Finding: what was found, the evidence for it, what to do; and how numbers are written in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...table.event_table import EventTable
from ..digest import Digest

MOST_PLACES = 3
WORTH_A_WORD = 0.02  # of the time of all steps
WRITTEN_BY_US = "MultiheadAttention"  # a module whose ops are nobody's to change
NS_PER_US, NS_PER_MS, NS_PER_S = 10**3, 10**6, 10**9
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


class Finding(NamedTuple):
    """One habit. ``time_ns`` is the time it concerns, in all steps; ``events`` are ids of some of its rows."""

    kind: str
    title: str
    evidence: list[str]
    advice: str
    time_ns: int
    events: list[int]


def evidence_of(digest: Digest, rows: np.ndarray) -> tuple[list[str], list[int]]:
    """Where rows were called, each place with its count, the most frequent first; and the ids of some rows."""
    counts = Counter(digest.places(rows))
    ranked = sorted(((count, place) for place, count in counts.items() if place), key=lambda pair: (-pair[0], pair[1]))
    places = [f"{count:,} × in {place}" for count, place in ranked[:MOST_PLACES]]
    return places, digest.table["id"][rows[:MOST_PLACES]].tolist()


def lasted_ns(table: EventTable, rows: np.ndarray) -> int:
    """How long rows lasted together."""
    return int((table["end_ns"][rows] - table["start_ns"][rows]).sum())


def time_text(ns: float) -> str:
    """A time with three digits and its unit."""
    for unit_ns, unit in ((NS_PER_S, "s"), (NS_PER_MS, "ms"), (NS_PER_US, "µs")):
        if abs(ns) >= unit_ns:
            return f"{ns / unit_ns:.3g} {unit}" if abs(ns) < 1000 * unit_ns else f"{ns / unit_ns:,.0f} {unit}"
    return f"{ns:.0f} ns"


def bytes_text(nbytes: float) -> str:
    """Bytes with three digits and their unit."""
    for unit_bytes, unit in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if abs(nbytes) >= unit_bytes:
            return f"{nbytes / unit_bytes:.3g} {unit}" if abs(nbytes) < 1000 * unit_bytes else \
                f"{nbytes / unit_bytes:,.0f} {unit}"
    return f"{nbytes:.0f} B"


def share_text(part: float, whole: float) -> str:
    """A share of the time of all steps."""
    return f"{100 * part / whole:.1f} % of the time of all steps" if whole else "of no time"


def per_step(count: int, digest: Digest) -> str:
    """How often something happens."""
    n_steps = len(digest.steps)
    each = count / n_steps if n_steps else count
    return f"{counted(count, 'time')} in {counted(n_steps, 'step')} ({each:.3g} per step)"


def counted(count: int, noun: str) -> str:
    """A count with its noun, which has an s where there are several."""
    return f"{count:,} {noun}{'s' if count != 1 else ''}"


def texts(*parts: str | Iterable[str]) -> list[str]:
    """Sentences one after the other, without empty ones."""
    return [text for part in parts for text in ([part] if isinstance(part, str) else part) if text]
