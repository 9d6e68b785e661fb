"""prof.overhead(): what recording costs, measured when somebody asks and not seen in any profile.

That it is near what a loop of small ops costs more is measured by benchmarks/, where times are compared.
"""

from __future__ import annotations

import _signal
import signal

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
from mindtorch_v2.profiler.session import overhead
from mindtorch_v2.record import rows
from mindtorch_v2.utils._python_dispatch import TorchDispatchMode

CASES = {"plain": {}, "shapes": {"record_shapes": True}, "memory": {"profile_memory": True},
         "stacks": {"with_stack": True}, "all": {"record_shapes": True, "profile_memory": True, "with_stack": True}}


@pytest.fixture(autouse=True)
def unmeasured(monkeypatch):
    monkeypatch.setattr(overhead, "_known", {})


def profiled(**options) -> profile:
    with profile(**options) as prof:
        torch.ones(3)
    return prof


def test_a_profile_does_not_wait_for_it():
    profiled(**CASES["all"])
    assert not overhead._known


def test_it_is_measured_once(monkeypatch):
    profiled(**CASES["all"]).overhead()
    assert set(overhead._known) == set(overhead.Costs._fields)
    monkeypatch.setattr(overhead, "_added", None)
    assert profiled(**CASES["all"]).overhead().total_ns > 0


def test_every_kind_of_row_is_counted_by_itself():
    x = torch.ones(2, 2)
    with profile(**CASES["all"]) as prof:
        x.t()  # transpose, of three values, and as_strided, of four, are parts of it
        x + x  # times one
    counts = overhead.counted(prof.profiler._recordings._parts[0].read())
    assert (counts.outer, counts.nested, counts.inputs, counts.tensors) == (2, 2, 1 + 3 + 4 + 3, 5)
    assert counts.memory and counts.visible and counts.hidden and counts.python_ns


def test_all_wishes_cost_more_than_none():
    costs = [profiled(**CASES[name]).overhead().ns_per_event for name in ("plain", "all")]
    assert 0 < costs[0] < costs[1]


@pytest.mark.parametrize("options", CASES.values(), ids=CASES)
def test_nothing_of_it_is_seen_in_the_profile(options):
    before = rows.allocated_bytes()
    prof = profiled(**options)
    prof.overhead()
    assert [event.name for event in prof.events() if event.name.startswith("aten::")] == [
        "aten::ones", "aten::empty", "aten::fill_"]
    assert not any("session/overhead" in event.name for event in prof.events())
    assert rows.allocated_bytes() == before


def test_ctrl_c_while_it_measures_leaves_nobody_listening(monkeypatch):
    time_ns = overhead._time_ns

    def interrupted(program: str) -> int:
        if rows.is_listening():
            _signal.raise_signal(signal.SIGINT)
        return time_ns(program)

    monkeypatch.setattr(overhead, "_time_ns", interrupted)
    prof = profiled()
    with pytest.raises(KeyboardInterrupt):
        prof.overhead()
    assert not rows.is_listening()


def test_nobody_is_asked_about_its_ops():
    asked = []

    class Asking(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            asked.append(func)
            return func(*args, **(kwargs or {}))

    prof = profiled()
    with Asking():
        assert prof.overhead().total_ns > 0
    assert not asked
