"""Memory per recorded event: how far the process grows, at its peak, until the averages are in hand."""

from __future__ import annotations

import gc
import os
import resource
import tempfile

from answers import FEWER_STEPS, MILLION, OPS, STEPS, TEN_MILLION, recorded, trained


def plain(torch) -> float:
    return growth(torch, {}, {})


def full(torch) -> float:
    return growth(torch, {"record_shapes": True, "profile_memory": True}, {"group_by_input_shape": True})


def growth(torch, wishes: dict, grouping: dict) -> float:
    """Bytes per event that ``events()`` shows; memory released outside any op is an event there, in both libraries."""
    recorded(torch, 1000, **wishes).key_averages(**grouping)  # what is made once is made now
    gc.collect()
    forget_peak()
    before = peak_bytes()
    profile = recorded(torch, OPS if torch.__name__ == "torch" else MILLION, **wishes)
    averages = profile.key_averages(**grouping)
    grown = peak_bytes() - before
    return grown / sum(row.count for row in averages)


def memory_timeline(torch) -> float:
    """Bytes per op that a profile of training adds to the process until its memory timeline is written."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.json")
        trained(torch, 1)[0].export_memory_timeline(path, device="cpu")
        profile, count = trained(torch, FEWER_STEPS if torch.__name__ == "torch" else STEPS)
        gc.collect()
        forget_peak()
        before = peak_bytes()
        profile.export_memory_timeline(path, device="cpu")
        return (peak_bytes() - before) / count


def spilled(torch) -> float:
    """Megabytes that ten million recorded ops add to the process in spill mode, averages included."""
    recorded(torch, 1000, overflow="spill").key_averages()
    forget_peak()
    before = peak_bytes()
    recorded(torch, TEN_MILLION, overflow="spill").key_averages()
    return (peak_bytes() - before) / 1e6


def forget_peak() -> None:
    """Let the peak start at what is in use now, where the system can."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


def peak_bytes() -> int:
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
