"""The timeline of a page: events of threads and device queues in lanes, in which nothing overlaps."""

from __future__ import annotations

import numpy as np

from ..table.columns import OF_DEVICE, OF_MEMORY
from ..views import tree
from ..views.digest import Digest
from ..views.op_table import own_ns, row_kinds, shape_texts
from ..views.visible_events import flows
from .blob import Blob
from .page_words import PageWords

MOST_EVENTS = 1_000_000  # the longest ones; a page with more is slow to open
MOST_LANES = 256  # of a thread; what is called deeper is left out
DEVICE_TRACK = 1 << 40


def timeline(digest: Digest, words: PageWords, blob: Blob) -> dict:
    """Tracks, lanes and the columns of their events, lane by lane and by start."""
    visible = digest.visible
    table = visible.table
    shown = _shown(digest)
    track, lane = _tracks(digest, shown), _lanes(digest, shown)
    keep = lane < MOST_LANES
    shown, track, lane = shown[keep], track[keep], lane[keep]
    order = np.lexsort((table["start_ns"][shown], lane, track))
    rows, track, lane = shown[order], track[order], lane[order]
    begins = np.flatnonzero(np.append(True, (np.diff(track) != 0) | (np.diff(lane) != 0))) if len(rows) else rows
    shapes, texts = shape_texts(table)
    start_ns = table["start_ns"][rows] - table.window.start_ns
    steps_ns = np.diff(start_ns, prepend=0)
    steps_ns[begins] = start_ns[begins]  # the first of a lane since the profile began, others since the one before
    columns = {"duration": table["end_ns"][rows] - table["start_ns"][rows],
               "word": words.numbers(visible.keys[1][rows]), "kind": row_kinds(table)[rows],
               "shapes_of": shapes[rows] + 1, "stack": visible.stack[rows], "self": own_ns(visible)[rows]}
    place = np.full(len(table) + 1, -1)
    place[rows] = np.arange(len(rows))
    return {
        "start": blob.add(steps_ns), **{name: blob.add(cells) for name, cells in columns.items()},
        "lanes": {"begin": blob.add(begins), "track": blob.add(np.unique(track, return_inverse=True)[1][begins]),
                  "level": blob.add(lane[begins])},
        "tracks": [_track(digest, number) for number in np.unique(track).tolist()],
        "shapes": ["", *texts[:-1]], "flows": _flows(digest, place, blob), "left_out": len(table) - len(rows),
        "ids": blob.add(table["id"][rows] - int(table["id"].min(initial=0)) if len(rows) else rows),
        "first_id": int(table["id"].min(initial=0)) if len(table) else 0,
    }


def _shown(digest: Digest) -> np.ndarray:
    """Rows with a length, or all but memory's; of very many the longest."""
    table = digest.visible.table
    rows = np.flatnonzero((table["flags"] & OF_MEMORY) == 0)
    if len(rows) > MOST_EVENTS:
        lasted_ns = table["end_ns"][rows] - table["start_ns"][rows]
        rows = np.sort(rows[np.argsort(-lasted_ns, kind="stable")[:MOST_EVENTS]])
    return rows


def _tracks(digest: Digest, rows: np.ndarray) -> np.ndarray:
    """The track of each row: its thread, or behind all threads its device's queue."""
    visible = digest.visible
    track = visible.table["thread"][rows].astype(np.int64)
    of_device = np.flatnonzero(visible.table["flags"][rows] & OF_DEVICE)
    if len(of_device):
        track[of_device] = DEVICE_TRACK + _queues(digest)[1][visible.device.number[rows[of_device]]]
    return track


def _queues(digest: Digest) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Device and queue of each track of a device, and the track of each activity."""
    activities = digest.table.device
    pairs = np.stack([activities["device_index"].astype(np.int64), activities["queue"]], axis=1)
    distinct, number = np.unique(pairs, axis=0, return_inverse=True)
    return [tuple(pair) for pair in distinct.tolist()], number.ravel()


def _track(digest: Digest, track: int) -> dict:
    if track >= DEVICE_TRACK:
        device, queue = _queues(digest)[0][track - DEVICE_TRACK]
        return {"name": f"{digest.table.window.device or 'device'}:{device} queue {queue}", "device": True,
                "waits": False}
    row = next((row for row in digest.threads if row.index == track), None)
    if row is None:
        return {"name": f"thread {track}", "device": False, "waits": False}
    processes = {thread.pid for thread in digest.threads}
    process = f" (process {row.pid})" if len(processes) > 1 else ""
    return {"name": f"{row.name or f'thread {track}'} · {row.os_id}{process}", "device": False, "waits": row.only_waits}


def _lanes(digest: Digest, rows: np.ndarray) -> np.ndarray:
    """How deep each row is nested; one that would overlap another of its depth is put below."""
    table = digest.visible.table
    keep = np.zeros(len(table), bool)
    keep[rows] = True
    lane = tree.depths(tree.kept_parents(table["parent"], keep))[rows]
    track, starts, ends = _tracks(digest, rows), table["start_ns"][rows], table["end_ns"][rows]
    order = np.lexsort((starts, lane, track))
    same = (np.diff(track[order]) == 0) & (np.diff(lane[order]) == 0)
    overlaps = same & (starts[order][1:] < ends[order][:-1])
    for number in np.unique(track[order[1:]][overlaps]).tolist():
        mine = np.flatnonzero(track == number)
        lane[mine] = _apart(starts[mine].tolist(), ends[mine].tolist(), lane[mine].tolist())
    return lane


def _apart(starts: list[int], ends: list[int], lanes: list[int]) -> list[int]:
    """The first lane from each row's own on that is free when it begins; rows are given by start."""
    free_ns: list[int] = []
    apart = []
    for start, end, lane in zip(starts, ends, lanes):
        while lane < len(free_ns) and free_ns[lane] > start:
            lane += 1
        free_ns += [0] * (lane + 1 - len(free_ns))
        free_ns[lane] = end
        apart.append(lane)
    return apart


def _flows(digest: Digest, place: np.ndarray, blob: Blob) -> dict:
    """Pairs of events by their places: ops and what goes back through them, launches and what they launched."""
    visible = digest.visible
    ids = flows(visible.table)
    marked = np.flatnonzero(ids)
    marked = marked[np.argsort(ids[marked], kind="stable")]
    pairs = marked[:len(marked) // 2 * 2].reshape(-1, 2) if len(marked) else np.zeros((0, 2), np.int64)
    if visible.device.n_activities:
        activity = np.flatnonzero(visible.device.number >= 0)
        launching = visible.device._launched_by[visible.device.number[activity]]
        launched = np.stack([launching, activity], axis=1)[launching >= 0]
        pairs = np.concatenate([pairs, launched])
    ends = place[pairs]
    ends = ends[(ends >= 0).all(axis=1)]
    return {"from": blob.add(ends[:, 0]), "to": blob.add(ends[:, 1])}
