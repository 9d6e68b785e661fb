"""A device that stops collecting in the middle of a cycle: what there is is saved, and the next cycle goes on."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import ProfilerAction, ProfilerActivity, profile, schedule

NONE, WARMUP, RECORD, SAVE, STOPPED = ProfilerAction
BOTH = [ProfilerActivity.CPU, ProfilerActivity.CUDA]


class Device:
    """Stands for a device's collector: it gives up when it is told to."""

    def __init__(self, monkeypatch):
        self.stopped = False
        monkeypatch.setattr(torch.autograd, "_is_kineto_stopped", lambda: self.stopped, raising=False)


@pytest.fixture
def device(monkeypatch):
    return Device(monkeypatch)


@pytest.fixture(autouse=True)
def _no_gpu():
    with pytest.warns(UserWarning):  # CUDA is not available; and some schedules here have no warmup
        yield
        torch.profiler.schedule(wait=0, warmup=0, active=1)


def actions(prof, device, stopped: str) -> list[ProfilerAction]:
    """What the profile does in each step; the device has given up in steps marked ``x``."""
    prof.start()
    seen = [prof.current_action]
    for mark in stopped:
        device.stopped = mark == "x"
        prof.step()
        seen.append(prof.current_action)
    return seen


@pytest.mark.parametrize(("wait", "warmup", "active", "repeat", "stopped", "expected"), [
    (0, 2, 2, 0, "x", [WARMUP, STOPPED]),
    (0, 1, 3, 0, ".x", [WARMUP, RECORD, STOPPED]),
    (0, 1, 4, 2, ".xxxx", [WARMUP, RECORD, STOPPED, STOPPED, STOPPED, WARMUP]),
    (0, 3, 2, 1, "xxxxx", [WARMUP, STOPPED, STOPPED, STOPPED, STOPPED, NONE]),
    (0, 0, 3, 2, "xxx", [RECORD, STOPPED, STOPPED, RECORD]),
    (2, 1, 2, 2, "...x.", [NONE, NONE, WARMUP, RECORD, STOPPED, NONE]),
    (2, 1, 1, 0, "x", [NONE, NONE]),
    (0, 1, 1, 1, ".x", [WARMUP, SAVE, NONE]),
    (0, 1, 2, 2, "..x", [WARMUP, RECORD, SAVE, WARMUP])])
def test_it_stays_stopped_to_the_end_of_the_cycle(device, wait, warmup, active, repeat, stopped, expected):
    prof = profile(activities=BOTH, schedule=schedule(wait=wait, warmup=warmup, active=active, repeat=repeat))
    assert actions(prof, device, stopped) == expected
    prof.stop()


def test_what_was_recorded_before_is_handed_over_once(device):
    events = []
    prof = profile(activities=BOTH, schedule=schedule(wait=0, warmup=1, active=4, repeat=2),
                   on_trace_ready=lambda p: events.append([e.name for e in p.events() if e.name == "aten::add"]))
    prof.start()
    for mark in "..xxxx":
        device.stopped = mark == "x"
        prof.step()
        torch.ones(1) + 1
    prof.stop()
    assert events[0] == ["aten::add"] * 2


def test_a_profile_of_the_processor_alone_goes_on(device):
    prof = profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=0, warmup=1, active=2))
    assert actions(prof, device, "xx") == [WARMUP, RECORD, SAVE]
    prof.stop()


def test_a_second_start_takes_up_the_schedule(device):
    saved = []
    prof = profile(activities=BOTH, schedule=schedule(wait=0, warmup=1, active=1), on_trace_ready=saved.append)
    assert actions(prof, device, "x") == [WARMUP, STOPPED]
    prof.stop()
    device.stopped = False
    prof.start()
    assert prof.current_action is SAVE
    prof.stop()
    assert len(saved) == 2
