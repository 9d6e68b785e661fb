"""Stacks for flame graphs: one line per stack, its frames and its weight."""

from __future__ import annotations

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
    with writing(path) as out:
        for event in events:
            weight = int(getattr(event, METRICS[metric]))
            if event.stack and weight > 0:
                frames = ";".join(frame.translate(TRANSLATION) for frame in reversed(event.stack))
                out.write(f"{frames} {weight}\n".encode("utf-8", "backslashreplace"))
