"""Stacks for flame graphs: one line per stack, its frames and its weight.

The time of an op stands under the Python calls around it, the own time of a Python call under itself: torch gives that
to its caller, so that no function of pure Python is seen and the outermost one's time is lost.
"""

from __future__ import annotations

import numpy as np

from ..table.columns import PYTHON_SCOPE
from ..views.events import Events
from ..views.flame import Frames, top_down
from ..views.visible_events import VisibleEvents
from .call_stacks import CallStacks
from .files import writing

# torch's metric names, and the field each one is.
METRICS = {
    "self_cpu_time_total": "self_cpu_time_total",
    "self_cuda_time_total": "self_device_time_total",
    "self_xpu_time_total": "self_device_time_total",
    "self_privateuse1_time_total": "self_device_time_total",
}
DEVICE_METRIC = "self_device_time_total"  # the field's own name, which torch does not take
NS_PER_US = 1000
WHOLE_UP_TO = 1000  # frames, Python's own limit: a flame graph is drawn from the outermost one on
NAME_BITS = 32  # names are numbered below 2**32
# Frames are separated by ";" and the weight by a space: neither may stand in a frame.
TRANSLATION = str.maketrans(" ;\t\n", "____")


def export_stacks(events, path, metric: str, with_ops: bool = False) -> None:
    """Write ``frame;frame weight`` for every distinct stack, outermost frame first; lines are in the order of their
    text, weights whole microseconds. With ``with_ops``, ranges and ops are frames as well as Python's calls."""
    if metric not in METRICS and metric != DEVICE_METRIC:
        raise ValueError(f"metric should be one of: {list(METRICS)}")
    of_stack = (_of_profile if isinstance(events, Events) else _of_rows)(events, METRICS.get(metric, metric), with_ops)
    lines = sorted(of_stack)  # one order, wherever the events come from
    weights = whole_microseconds([of_stack[text] for text in lines])
    with writing(path) as out:
        out.write(b"".join(b"%b %d\n" % (text, weight) for text, weight in zip(lines, weights) if weight > 0))


def whole_microseconds(times_ns: list[float]) -> list[int]:
    """Nanoseconds as microseconds whose sum is the rounded sum: what is cut off goes to those that lost most."""
    weights = [int(time // NS_PER_US) for time in times_ns]
    left = round(sum(times_ns) / NS_PER_US) - sum(weights)
    lost_most = sorted(range(len(weights)), key=lambda i: times_ns[i] % NS_PER_US, reverse=True)
    for i in lost_most[:left]:
        weights[i] += 1
    return weights


def _of_rows(events, field: str, with_ops: bool) -> dict[bytes, float]:
    """The nanoseconds of each stack, from events one by one."""
    of_stack: dict[bytes, float] = {}
    lines = Lines()
    for event in events:
        time_us = getattr(event, field)
        is_frame = with_ops or getattr(event, "is_python_function", False)
        stack = [event.name, *event.stack] if is_frame else event.stack
        if stack and time_us > 0:
            text = lines.line(stack)
            of_stack[text] = of_stack.get(text, 0) + time_us * 1000
    return of_stack


def _of_profile(events: Events, field: str, with_ops: bool) -> dict[bytes, float]:
    """The same from columns; each distinct stack is written out once."""
    visible = events.visible
    own_ns = visible.self_ns if field == "self_cpu_time_total" else visible.device.self_ns
    if with_ops:
        return _of_frames(top_down(visible, own_ns))
    times_ns = np.bincount(_charged(visible), own_ns, visible.n_stacks)  # exact: a sum of ns fits a double
    of_stack: dict[bytes, float] = {}
    stacks, lines = CallStacks(visible.source, visible.cells.stacks), Lines()
    for number in np.flatnonzero(times_ns[1:] > 0) + 1:
        text = lines.line(stacks.frames(int(number), WHOLE_UP_TO))
        of_stack[text] = of_stack.get(text, 0) + float(times_ns[number])
    return of_stack


def _of_frames(frames: Frames) -> dict[bytes, float]:
    """The own time of every frame, under all that called it."""
    of_stack: dict[bytes, float] = {}
    lines = Lines()
    for frame in np.flatnonzero(frames.self_ns > 0).tolist():
        text = lines.line(frames.path(frame)[::-1][:WHOLE_UP_TO])
        of_stack[text] = of_stack.get(text, 0) + float(frames.self_ns[frame])
    return of_stack


def _charged(visible: VisibleEvents) -> np.ndarray:
    """The number of the stack that each event's own time stands under: its own, with itself on top if it is a call."""
    below, name = np.array(visible.cells.stacks, np.int64).T
    keys = below << NAME_BITS | name
    order = np.argsort(keys)
    stack, is_call = visible.stack.copy(), visible.table["scope"] >= PYTHON_SCOPE
    called = visible.stack[is_call].astype(np.int64) << NAME_BITS | visible.table["name"][is_call]
    stack[is_call] = order[np.searchsorted(keys, called, sorter=order)]  # the walk has numbered them all
    return stack


class Lines:
    """Stacks as lines; each frame is put in allowed characters once."""

    def __init__(self):
        self._allowed: dict[str, str] = {}

    def line(self, stack: list[str]) -> bytes:
        allowed = self._allowed
        for frame in set(stack).difference(allowed):
            allowed[frame] = frame.translate(TRANSLATION)
        return ";".join([allowed[frame] for frame in reversed(stack)]).encode("utf-8", "backslashreplace")
