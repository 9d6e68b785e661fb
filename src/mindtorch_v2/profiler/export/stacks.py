"""Stacks for flame graphs: one line per stack, its frames and its weight."""

from __future__ import annotations

from collections.abc import Iterator

from ..table.columns import BLOCK
from ..views.events import Events
from .files import writing

# torch's metric names, and the field each one is.
METRICS = {
    "self_cpu_time_total": "self_cpu_time_total",
    "self_cuda_time_total": "self_device_time_total",
    "self_xpu_time_total": "self_device_time_total",
    "self_privateuse1_time_total": "self_device_time_total",
}
# Frames are separated by ";" and the weight by a space: neither may stand in a frame.
TRANSLATION = str.maketrans(" ;\t\n", "____")


def export_stacks(events, path, metric: str) -> None:
    """Write ``frame;frame weight`` for every event with a stack and a weight; outermost frame first."""
    if metric not in METRICS:
        raise ValueError(f"metric should be one of: {list(METRICS)}")
    lines = _of_profile if isinstance(events, Events) else _of_rows
    with writing(path) as out:
        for line in lines(events, METRICS[metric]):
            out.write(line)


def _of_rows(events, field: str) -> Iterator[bytes]:
    for event in events:
        weight = int(getattr(event, field))
        if event.stack and weight > 0:
            yield b"%b %d\n" % (_line(event.stack), weight)


def _of_profile(events: Events, field: str) -> Iterator[bytes]:
    """The same from columns, a block at a time; each distinct stack is written out once."""
    shown = events.shown
    if field != "self_cpu_time_total":
        return  # no device, no time of its own
    texts = [_line(shown.frames(number)) for number in range(shown.n_stacks)]
    for begin in range(0, len(shown), BLOCK):
        stack, weight = shown.stack[begin:begin + BLOCK], shown.self_ns[begin:begin + BLOCK] // 1000
        said = (stack > 0) & (weight > 0)
        yield b"".join([b"%b %d\n" % (texts[s], w) for s, w in zip(stack[said].tolist(), weight[said].tolist())])


def _line(stack: list[str]) -> bytes:
    return ";".join(frame.translate(TRANSLATION) for frame in reversed(stack)).encode("utf-8", "backslashreplace")
