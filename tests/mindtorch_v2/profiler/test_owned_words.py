"""A profile owns its words: what others record, before, after or at the same time, changes nothing in it."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function


def record(name: str, **options) -> profile:
    with profile(record_shapes=True, **options) as prof, record_function(name):
        torch.ones(2)
    return prof


def names(prof: profile) -> list[str]:
    return [event.name for event in prof.events()]


def test_events_are_there_after_averages_and_another_profile_with_new_names():
    first = record("first")
    first.key_averages()
    second = record("second")
    second.key_averages(group_by_input_shape=True)
    assert (names(first), names(second)) == (["first", "aten::ones", "aten::empty", "aten::fill_"],
                                             ["second", "aten::ones", "aten::empty", "aten::fill_"])


def test_what_was_read_from_a_running_profile_stays_as_it_was():
    with profile(record_shapes=True) as prof:
        with record_function("early"):
            pass
        early = prof.events()
        averages = early.key_averages()
        with record_function("late"):
            torch.ones(3)
        assert [e.name for e in early] == ["early"] == [a.key for a in averages]
        assert early.table() == early.table()
    assert names(prof)[:2] == ["early", "late"]


def test_an_inner_profile_keeps_its_own_words_only():
    with profile() as outer:
        for i in range(1000):
            with record_function(f"outer {i}"):
                pass
        inner = record("inner")
    words = inner.profiler._recordings.table().names
    assert ("inner", "") in words and ("outer 0", "") not in words
    assert names(inner)[0] == "inner" and names(outer)[:2] == ["outer 0", "outer 1"]


def test_stretches_of_one_profile_are_joined_with_the_words_of_each():
    shapes = iter(range(2, 5))
    with profile(schedule=torch.profiler.schedule(wait=1, warmup=0, active=1, repeat=3), record_shapes=True,
                 with_flops=True, acc_events=True) as prof:
        for _ in range(6):
            prof.step()
            with record_function(f"step {prof.step_num}"):
                if prof.step_num % 2:
                    n = next(shapes)
                    torch.mm(torch.ones(n, n), torch.ones(n, n))
    events = prof.events()
    assert [e.name for e in events if e.name.startswith("step")] == ["step 1", "step 3", "step 5"]
    assert [(e.input_shapes, e.flops) for e in events if e.name == "aten::mm"] == [
        ([[n, n], [n, n]], 2 * n**3) for n in (2, 3, 4)]


def test_modules_and_optimizers_of_a_profile_are_its_own():
    def train(kind):
        model = torch.nn.Sequential(kind(), torch.nn.Linear(2, 2))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with profile(with_stack=True, record_shapes=True, profile_memory=True) as prof:
            model(torch.ones(2, 2)).sum().backward()
            optimizer.step()
        return prof

    profiles = [train(kind) for kind in (torch.nn.ReLU, torch.nn.Tanh)]
    modules = [[e.name for e in prof.events() if e.name.startswith("nn.Module")] for prof in profiles]
    assert modules == [["nn.Module: Sequential_0", f"nn.Module: {kind}_0", "nn.Module: Linear_0"]
                       for kind in ("ReLU", "Tanh")]
