"""Writing a report: everything a page shows of a profile, worked out and packed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from ..export.files import writing
from ..memory.analysis import Analysis
from ..table.event_table import EventTable
from ..views.digest import Digest
from ..views.flame import Frames, largest
from . import memory, tables
from .blob import Blob
from .page import page
from .page_words import PageWords
from .timeline import timeline

MOST_FRAMES = 20_000  # of a flame graph; the time of smaller ones stands under their callers
NS_PER_S = 10**9
SWITCHES = ("record_shapes", "profile_memory", "with_flops", "with_stack")


@dataclass(frozen=True)
class Source:
    """A profile that is to be reported: its table, what it is called, its memory by category where that is known."""

    table: EventTable
    title: str = "Profile"
    host: str = ""
    dropped: int = 0
    overhead_share: float = 0.0
    analysis: Analysis | None = None

    def digest(self) -> Digest:
        """Its views; blocks of memory are told by what they are for at the fullest moment."""
        table = memory.of_own_process(self.table)
        plain = Digest(table)
        if self.analysis is None or plain.peak is None:
            return plain
        return Digest(table, memory.block_categories(self.analysis, plain.peak.time_ns), memory.NAMES)


def write(source: Source, path, against: Source | None = None) -> None:
    """Write the page to a path or an open file, whole or not at all."""
    with writing(path, compressed=None if isinstance(path, (str, os.PathLike)) else False) as out:
        out.write(html(source, against).encode("utf-8", "backslashreplace"))


def html(source: Source, against: Source | None = None) -> str:
    """The page as text."""
    digest, blob = source.digest(), Blob()
    words = PageWords(digest.visible.keys[0])
    facts = {
        "facts": _facts(source, digest), "words": words.shown, "steps": tables.steps_data(digest),
        "findings": tables.findings_data(digest), "threads": tables.threads_data(digest),
        "ops": tables.ops_data(digest), "modules": tables.modules_data(digest),
        "timeline": timeline(digest, words, blob), "stacks": _stacks(digest, words, blob),
        "flame": {way: _frames(frames, words, blob) for way, frames in (("down", digest.top_down),
                                                                        ("up", digest.bottom_up))},
        "memory": {"timeline": memory.timeline(digest, source.analysis, blob), "peak": memory.peak(digest),
                   "devices": memory.devices(digest)},
        "compare": None if against is None else tables.difference_data(against.digest(), digest)
        | {"titles": [against.title, source.title]},
    }
    return page(source.title, blob.text(facts))


def _facts(source: Source, digest: Digest) -> dict:
    """What is said of the profile as a whole."""
    window, table = source.table.window, source.table
    began = datetime.fromtimestamp((window.start_ns + window.wall_offset_ns) / NS_PER_S, UTC)
    return {"title": source.title, "host": source.host, "pid": window.pid,
            "began": began.strftime("%Y-%m-%d %H:%M:%S UTC"), "wall": window.end_ns - window.start_ns,
            "events": len(digest.visible), "dropped": source.dropped, "overhead": source.overhead_share,
            "flops": int(table["flops"].sum()), "device": window.device,
            "has": {**{name: bool(getattr(window, name)) for name in SWITCHES},
                    "with_modules": table.module_ranges.n_rows > 0}}


def _stacks(digest: Digest, words: PageWords, blob: Blob) -> dict:
    """Stacks as pairs of a stack below and a word; the first is the empty one."""
    below, name = np.array(digest.visible.cells.stacks, np.int64).reshape(-1, 2).T
    word = words.numbers(digest.visible.words[1][name[1:]])
    return {"below": blob.add(np.maximum(below, 0)), "word": blob.add(np.append(0, word))}


def _frames(frames: Frames, words: PageWords, blob: Blob) -> dict:
    shown = largest(frames, MOST_FRAMES)
    columns = {"parent": shown.parent + 1, "word": words.numbers(shown.word), "kind": shown.kind,
               "self": shown.self_ns, "total": shown.total_ns, "count": shown.count}
    return {**{name: blob.add(cells) for name, cells in columns.items()}, "left_out": len(frames) - len(shown)}
