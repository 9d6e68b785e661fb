"""Bytes add up: at every instant the profile's total is what lives, and every change is somebody's."""

from __future__ import annotations

import bisect
import io
import itertools
import json
from collections import defaultdict
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function

from .programs import Actor
from .reading import row_of

STEPS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from(("make", "make", "free", "view", "resize", "set", "add",
                                                               "copy", "backward", "range", "end range")),
                           st.integers(0, 40)), max_size=25)


class Memory:
    """Tensors made, shared, resized and dropped on several threads, and after every step the bytes that live."""

    def __init__(self):
        self.tensors, self.ranges = [], defaultdict(list)

    def bytes(self) -> int:
        """A view keeps its base alive, even after it was set to other memory; torch's does too."""
        held = self.tensors + [t._base for t in self.tensors if t._base is not None]
        return sum({t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in held}.values())

    def step(self, actor: int, verb: str, n: int) -> None:
        at = n % len(self.tensors) if self.tensors else None
        if verb == "make":
            self.tensors.append(torch.zeros(n + 1))
        elif verb == "range":
            self.ranges[actor].append(record_function(f"range {n}"))
            self.ranges[actor][-1].__enter__()
        elif verb == "end range" and self.ranges[actor]:
            self.ranges[actor].pop().__exit__(None, None, None)
        elif at is None:
            return
        elif verb == "free":
            self.tensors.pop(at)
        elif verb == "view":
            self.tensors.append(self.tensors[at][:1])
        elif verb == "resize":
            self.tensors[at].resize_(n + 1)
        elif verb == "set":
            self.tensors[at].set_(self.tensors[-1])
        elif verb == "add":
            self.tensors.append(self.tensors[at] + 1)
        elif verb == "copy":
            self.tensors[at] = self.tensors[at].double().float()
        elif verb == "backward":
            x = self.tensors[at].detach().clone().requires_grad_()
            (x * x).sum().backward()


def trace_of(prof) -> list[dict]:
    text = io.StringIO()
    prof.export_chrome_trace(text)
    return json.loads(text.getvalue(), parse_float=Decimal)["traceEvents"]


def memory_in_trace(prof) -> list[dict]:
    return [e for e in trace_of(prof) if e["name"] == "[memory]"]


@given(STEPS)
@settings(max_examples=60)
def test_the_running_total_is_what_lives_at_every_instant(steps):
    memory, live, actors = Memory(), [], {n: Actor() for n in (1, 2)}
    memory.tensors.append(torch.zeros(5))  # lives before the profile begins
    with profile(profile_memory=True) as prof:
        for actor, *step in [(0, "make", 0), *steps]:
            if actor == 0:
                memory.step(actor, *step)
            else:
                actors[actor].do(lambda actor=actor, step=step: memory.step(actor, *step))
            live.append(memory.bytes())
            with record_function("after a step"):
                pass
    for actor in actors.values():
        actor.end()
    changes = memory_in_trace(prof)
    times, totals = [e["ts"] for e in changes], [e["args"]["Total Allocated"] for e in changes]
    before = totals[0] - changes[0]["args"]["Bytes"]
    assert times == sorted(times)
    assert totals == list(itertools.accumulate((e["args"]["Bytes"] for e in changes), initial=before))[1:]
    marks = [e["ts"] for e in trace_of(prof) if e["name"] == "after a step"]
    assert [totals[bisect.bisect(times, mark) - 1] - before for mark in marks] == [n - 20 for n in live]


@given(STEPS)
@settings(max_examples=40)
def test_every_change_is_charged_to_one_event(steps):
    memory = Memory()
    with profile(profile_memory=True) as prof:
        for actor, *step in steps:
            if actor == 0:
                memory.step(actor, *step)
        live = memory.bytes()
    events = prof.events()
    assert sum(e.self_cpu_memory_usage for e in events) == live
    assert sum(e.cpu_memory_usage for e in events if e.cpu_parent is None) == live
    for event in events:
        children = sum(child.cpu_memory_usage for child in event.cpu_children)
        assert event.self_cpu_memory_usage == event.cpu_memory_usage - children
    for row in prof.key_averages():
        assert row.self_cpu_memory_usage == sum(e.self_cpu_memory_usage for e in events if e.name == row.key)


def test_an_allocation_is_charged_to_the_innermost_op():
    with profile(profile_memory=True) as prof:
        torch.rand(100)
    rows = prof.key_averages()
    assert [(row_of(rows, key).cpu_memory_usage, row_of(rows, key).self_cpu_memory_usage)
            for key in ("aten::rand", "aten::empty")] == [(400, 0), (400, 400)]


def test_a_release_shows_the_total_without_it():
    with profile(profile_memory=True) as prof:
        x = torch.ones(100)
        del x
    made, freed = (e["args"] for e in memory_in_trace(prof))
    assert (made["Bytes"], freed["Bytes"]) == (400, -400) and made["Addr"] == freed["Addr"]
    assert freed["Total Allocated"] == made["Total Allocated"] - 400 and freed["Total Reserved"] == 0


def test_resize_gets_new_memory_and_releases_the_old():
    x = torch.ones(10)
    with profile(profile_memory=True) as prof:
        x.resize_(1000)
        x.resize_(5)
    changes = [e["args"]["Bytes"] for e in memory_in_trace(prof)]
    assert sum(changes) == 4000 - 40 and len(changes) == 2
    assert [(e.name, e.cpu_memory_usage) for e in prof.events() if e.cpu_memory_usage] == [("aten::resize_", 4000)]


def test_adding_a_number_in_place_makes_two_temporaries():
    x = torch.ones(10)
    with profile(profile_memory=True) as prof:
        x.add_(2)
    changes = [e["args"]["Bytes"] for e in memory_in_trace(prof)]
    assert [c > 0 for c in changes].count(True) == 2 and sum(changes) == 0
