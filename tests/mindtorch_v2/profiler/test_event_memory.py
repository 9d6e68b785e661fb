"""Which event pays for which bytes."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function

from .reading import names


def test_memory_is_charged_to_the_innermost_event_and_frees_outside_get_a_row():
    with profile(profile_memory=True) as prof:
        x = torch.ones(100)
        del x
    assert [(e.name, e.cpu_memory_usage, e.self_cpu_memory_usage) for e in prof.events()] == [
        ("aten::ones", 400, 0), ("aten::empty", 400, 400), ("aten::fill_", 0, 0), ("[memory]", -400, -400)]


def test_a_free_inside_a_range_is_charged_to_the_range():
    with profile(profile_memory=True) as prof:
        with record_function("range"):
            torch.ones(100)
    event = prof.events()[0]
    assert (event.cpu_memory_usage, event.self_cpu_memory_usage) == (0, -400) and "[memory]" not in names(prof)


def test_a_block_that_no_profile_saw_is_not_charged_when_it_goes():
    x = torch.ones(1000)
    with profile(profile_memory=True) as prof:
        del x
    assert names(prof) == []


def test_a_block_that_an_earlier_profile_saw_is_charged_when_it_goes():
    with profile(profile_memory=True):
        x = torch.ones(1000)
    with profile(profile_memory=True) as prof:
        del x
    assert [(e.name, e.cpu_memory_usage) for e in prof.events()] == [("[memory]", -4000)]
