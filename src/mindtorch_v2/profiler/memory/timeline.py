"""The timeline of memory by category: bytes alive after every change, in torch's file formats."""

from __future__ import annotations

import io
from collections.abc import Iterator

import numpy as np

from ..export import memory_html
from ..export.files import writing
from ..export.json_text import dump
from .categories import CategoryDict
from .changes import Changes
from .coalesced import BLOCK, FLOOR, PLACES, Coalesced
from .keys import CATEGORY_TO_COLORS
from .memory_profile import MemoryProfile


class MemoryProfileTimeline:
    """Reads a memory profile as a list of changes, and writes it."""

    def __init__(self, memory_profile: MemoryProfile):
        self._profile = memory_profile

    timeline = property(lambda self: self._profile.timeline)

    @property
    def categories(self) -> CategoryDict:
        return self._profile._categories

    def _changes(self, device_str: str) -> Changes:
        """What came and went on a device."""
        known, place = self._profile._analysis.changes, self._profile._analysis.tree.place
        return known.on([number for number in np.unique(known.place).tolist() if str(place(number)) == device_str])

    def _coalesced(self, device_str: str) -> Coalesced:
        return Coalesced(self._changes(device_str))

    def _coalesce_timeline(self, device_str: str) -> tuple[list[int], list[list[int]]]:
        """Times in microseconds, and bytes alive per category after each; what was there before stands first."""
        known = self._coalesced(device_str)
        return known.times_us.tolist(), known.sizes().tolist()

    def export_memory_timeline(self, path, device_str: str) -> None:
        """Write ``[times, sizes]`` as JSON."""
        known = self._coalesced(device_str)
        with writing(path) as out:
            out.write(b"[")
            _write_list(out, _blocks(known.times_us))
            out.write(b", ")
            _write_list(out, known.blocks())
            out.write(b"]")

    def export_memory_timeline_raw(self, path, device_str: str) -> None:
        """Write every change as ``[time in ns, action, bytes, category]``."""
        known = self._changes(device_str)
        columns = known.time_ns, known.action, known.change, PLACES[known.category]
        with writing(path) as out:
            _write_list(out, (np.stack(part, axis=1) for part in zip(*map(_blocks, columns))))

    def export_memory_timeline_html(self, path, device_str: str, figsize=(20, 12), title: str | None = None) -> None:
        """Write a page that draws the timeline and needs nothing else."""
        known = self._coalesced(device_str)
        names = [category.name if category else "Unknown" for category in CATEGORY_TO_COLORS]
        page = memory_html.page(known.times_us, known.sizes()[:, FLOOR:], names, list(CATEGORY_TO_COLORS.values()),
                                title or f"Memory timeline of {device_str}", figsize)
        with writing(path) as out:
            out.write(page.encode())


def _blocks(column: np.ndarray) -> Iterator[np.ndarray]:
    return (column[begin:begin + BLOCK] for begin in range(0, len(column), BLOCK))


def _write_list(out: io.BufferedIOBase, parts: Iterator[np.ndarray]) -> None:
    """Write arrays end to end as one JSON list, a part at a time."""
    before = b"["
    for part in parts:
        out.write(before + dump(part.tolist())[1:-1].encode())
        before = b", "
    out.write(b"[]" if before == b"[" else b"]")


def export(memory_profile: MemoryProfile, path, device_str: str) -> MemoryProfileTimeline:
    """Write the timeline in the format that the file's name asks for."""
    timeline = MemoryProfileTimeline(memory_profile)
    name = str(getattr(path, "name", path))
    if name.endswith(".html"):
        timeline.export_memory_timeline_html(path, device_str)
    elif name.endswith("raw.json.gz"):
        timeline.export_memory_timeline_raw(path, device_str)
    else:
        timeline.export_memory_timeline(path, device_str)
    return timeline
