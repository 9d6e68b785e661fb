"""Memory for a page: bytes alive over time by category, thinned to what a screen shows, and who holds the peak."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..memory.analysis import Analysis
from ..memory.changes import BEFORE_NS
from ..memory.coalesced import PLACES
from ..memory.keys import CATEGORY_TO_INDEX, Action
from ..memory.rules import NO_CATEGORY
from ..table.event_table import EventTable
from ..views.digest import Digest
from ..views.thinning import thinned
from .blob import Blob

NAMES = tuple("unknown" if category is None else category.name.lower().replace("_", " ")
              for category in CATEGORY_TO_INDEX)
UNKNOWN = len(NAMES) - 1
PIXELS, HEIGHT = 1600, 300
MOST_HOLDERS = 500
OF_CPU, END_NS = 0, 1 << 62


def of_own_process(table: EventTable) -> EventTable:
    """A table of several processes with the memory of the first alone: bytes alive are those of one process."""
    own = [thread.index for thread in table.threads if table.pid_of(thread) == table.window.pid]
    if len(own) == len(table.threads):
        return table
    keep = np.isin(table.memory["thread"], own)
    return replace(table, memory={name: cells[keep] for name, cells in table.memory.items()})


def timeline(digest: Digest, analysis: Analysis | None, blob: Blob) -> dict | None:
    """Times since the profile began, and bytes of each category after them; None of a profile without memory."""
    memory, window = digest.table.memory, digest.table.window
    if not memory.n_rows:
        return None
    if analysis is None:
        before = memory["total"][:1] - memory["change"][:1]
        time_ns, names = np.append(0, memory["time_ns"] - window.start_ns), ["alive"]
        sizes = np.append(before, memory["total"])[:, None]
    else:
        time_ns, sizes = _by_category(analysis, int(memory["total"][0] - memory["change"][0]))
        time_ns, names = np.maximum(time_ns - window.wall_offset_ns - window.start_ns, 0), list(NAMES)
    span_ns = max(int(time_ns[-1] - time_ns[0]), 1)
    kept = thinned((time_ns - time_ns[0]) / span_ns * PIXELS, sizes, max(int(sizes.sum(axis=1).max()), 1) / HEIGHT)
    return {"time": blob.add(time_ns[kept], grows=True), "names": names,
            "sizes": [blob.add(np.maximum(of_category, 0)) for of_category in sizes[kept].T],
            "points": len(time_ns)}


def _by_category(analysis: Analysis, before: int) -> tuple[np.ndarray, np.ndarray]:
    """The moments at which memory changed, and the bytes of each category after them; all together they are the bytes
    alive. What was alive ``before`` the profile and is not known of stays what it was, unknown."""
    changes = analysis.changes.on([OF_CPU])
    by_change = np.zeros((len(changes.time_ns), len(NAMES)), np.int64)
    by_change[np.arange(len(by_change)), PLACES[changes.category]] = changes.change
    by_change[0, UNKNOWN] += before - int(changes.change[changes.time_ns == BEFORE_NS].sum())
    last = np.flatnonzero(np.diff(changes.time_ns, append=END_NS) != 0)
    time_ns, sizes = changes.time_ns[last], np.cumsum(by_change, axis=0)[last]
    sizes -= np.minimum(sizes.min(axis=0), 0)  # what is released unseen was there all the time
    return time_ns, sizes


def devices(digest: Digest) -> list[list]:
    """Of every device whose memory was recorded: its name, most and last bytes alive, and how often that changed."""
    memory, name = digest.table.device_memory, digest.table.window.device or "device"
    return [[f"{name}:{index}", int(total.max()), int(total[-1]), len(total)]
            for index in np.unique(memory["device_index"]).tolist()
            for total in [memory["total"][memory["device_index"] == index]]]


def block_categories(analysis: Analysis, until_ns: int) -> np.ndarray:
    """Of every change of the processor's memory, what its block is for at a moment, as a place in NAMES."""
    numbers, keys = analysis.tree.recorded.numbers, analysis.keys
    n_changes = analysis.tree.recorded.table.memory.n_rows
    key = keys.of_allocation[numbers.of_memory[:n_changes]]
    entries = analysis.timeline()
    bumps = (entries.action == Action.INCREMENT_VERSION.value) & (entries.key >= 0) & \
        (entries.time_ns <= until_ns + analysis.tree.table.window.wall_offset_ns)
    version = np.zeros(len(keys) + 1, np.int64)
    np.maximum.at(version, entries.key[bumps], entries.version[bumps] + 1)
    is_known = key >= 0
    value = analysis.edges.base[key[is_known]] + np.minimum(version[key[is_known]],
                                                            np.maximum(analysis.edges.last_version[key[is_known]], 0))
    of_value = np.append(analysis.categories.of_value, NO_CATEGORY)
    category = np.full(n_changes, NO_CATEGORY, np.int64)
    category[is_known] = of_value[np.minimum(value, len(of_value) - 1)]
    return PLACES[category].astype(np.int64)


def peak(digest: Digest) -> dict | None:
    """The fullest moment and what is alive at it, the largest first."""
    fullest = digest.peak
    if fullest is None:
        return None
    held = digest.peak_holders
    rows = [[row.op, row.module, row.stack, row.category, row.blocks, row.total_bytes, row.largest_bytes]
            for row in held[:MOST_HOLDERS]]
    return {"time": fullest.time_ns - digest.table.window.start_ns, "bytes": fullest.total_bytes,
            "before": fullest.before_bytes, "holders": rows, "more": max(len(held) - MOST_HOLDERS, 0)}


