"""The timeline of memory by category: bytes alive after every change, in torch's file formats."""

from __future__ import annotations

from collections.abc import Iterator

from ..export import memory_html
from ..export.files import writing
from ..export.json_text import dump
from .keys import ACTION_TO_INDEX, CATEGORY_TO_COLORS, CATEGORY_TO_INDEX, Action, Category, TensorKey
from .memory_profile import MemoryProfile

# torch's tables of sizes begin with a column of zeros: the floor of its drawing.
FLOOR = 1


class MemoryProfileTimeline:
    """Reads a memory profile as a list of changes, and writes it."""

    def __init__(self, memory_profile: MemoryProfile):
        self.timeline = memory_profile.timeline
        self.categories = memory_profile._categories

    def _changes(self, device_str: str) -> Iterator[tuple[int, Action, int, Category | None]]:
        """(time, what happened, bytes more or less, category) on one device; a new version is a change of category."""
        for time_ns, action, (key, version), size in self.timeline:
            if str(key.device) != device_str:
                continue
            category = self.categories.get(key, version) if isinstance(key, TensorKey) else None
            if action is Action.DESTROY:
                yield time_ns, action, -size, category
                continue
            if action is Action.INCREMENT_VERSION:
                yield time_ns, action, -size, category
                category = self.categories.get(key, version + 1)
            yield time_ns, action, size, category

    def _coalesce_timeline(self, device_str: str) -> tuple[list[int], list[list[int]]]:
        """Times in microseconds, and bytes alive per category after each; what was there before stands first."""
        times: list[int] = []
        sizes: list[list[int]] = []
        for time_ns, _, change, category in self._changes(device_str):
            time_us = int(time_ns / 1000)
            if not times or times[-1] != time_us:
                times.append(time_us)
                sizes.append(list(sizes[-1]) if sizes else [0] * (FLOOR + len(CATEGORY_TO_INDEX)))
            sizes[-1][FLOOR + CATEGORY_TO_INDEX[category]] += change
        if len(times) > 1 and times[0] == 0:
            times[0] = times[1]  # what was there before stands at the first change
        return times, sizes

    def export_memory_timeline(self, path, device_str: str) -> None:
        """Write ``[times, sizes]`` as JSON."""
        with writing(path) as out:
            out.write(dump(self._coalesce_timeline(device_str)).encode())

    def export_memory_timeline_raw(self, path, device_str: str) -> None:
        """Write every change as ``[time in ns, action, bytes, category]``."""
        entries = [(time_ns, ACTION_TO_INDEX[action], change, CATEGORY_TO_INDEX[category])
                   for time_ns, action, change, category in self._changes(device_str)]
        with writing(path) as out:
            out.write(dump(entries).encode())

    def export_memory_timeline_html(self, path, device_str: str, figsize=(20, 12), title: str | None = None) -> None:
        """Write a page that draws the timeline and needs nothing else."""
        times, sizes = self._coalesce_timeline(device_str)
        names = [category.name if category else "Unknown" for category in CATEGORY_TO_COLORS]
        page = memory_html.page(times, [row[FLOOR:] for row in sizes], names, list(CATEGORY_TO_COLORS.values()),
                                title or f"Memory timeline of {device_str}", figsize)
        with writing(path) as out:
            out.write(page.encode())


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
