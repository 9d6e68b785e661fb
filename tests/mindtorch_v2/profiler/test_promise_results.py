"""Results do not change when they are read, can be sent elsewhere, and keep nothing else alive."""

from __future__ import annotations

import gc
import io
import pickle
import weakref

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function
from mindtorch_v2.profiler.views.averages import SUMMED

EVERYTHING = {"record_shapes": True, "profile_memory": True, "with_flops": True}


def trained(**wishes):
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with profile(**wishes) as prof:
        with record_function("step"):
            model(torch.ones(4, 3)).sum().backward()
            optimizer.step()
    return prof


def everything_of(prof) -> tuple:
    trace = io.StringIO()
    prof.export_chrome_trace(trace)
    return ([repr(e) for e in prof.events()], [repr(row) for row in prof.key_averages()],
            prof.key_averages(group_by_input_shape=True).table(), prof.profiler.table(), trace.getvalue())


def test_reading_results_changes_nothing():
    prof = trained(**EVERYTHING)
    first = everything_of(prof)
    prof.key_averages().sort(key=lambda row: row.count)
    prof.key_averages().table(sort_by="self_cpu_time_total", row_limit=2)
    prof.events().export_chrome_trace(io.StringIO())
    prof.profiler.total_average()
    assert everything_of(prof) == first


def test_the_total_of_a_profile_is_that_of_its_events_one_by_one():
    events = trained(**EVERYTHING).events()
    found, expected = vars(events.total_average()), vars(type(events)(list(events)).total_average())
    assert found == {key: pytest.approx(value) if key in SUMMED else value for key, value in expected.items()}
    assert found["flops"] > 0 and found["self_cpu_memory_usage"] != 0


def test_a_list_that_the_user_changes_is_his_own():
    prof = trained()
    averages = prof.key_averages()
    averages.clear()
    averages.append("his")
    assert len(prof.key_averages()) > 5 and "his" not in prof.key_averages()


def test_events_and_averages_can_be_pickled():
    prof = trained(**EVERYTHING)
    for made in (prof.events(), prof.key_averages()):
        again = pickle.loads(pickle.dumps(made))
        assert [repr(e) for e in again] == [repr(e) for e in made]
    assert [e.cpu_parent and e.cpu_parent.name for e in pickle.loads(pickle.dumps(prof.events()))] == \
        [e.cpu_parent and e.cpu_parent.name for e in prof.events()]


def test_results_of_one_profile_do_not_change_when_another_runs():
    prof = trained(**EVERYTHING)
    first = everything_of(prof)
    trained(**EVERYTHING)
    assert everything_of(prof) == first


def test_a_profile_keeps_no_tensor_alive():
    with profile(**EVERYTHING) as prof:
        x = torch.ones(1000)
        y = (x * 2).sum()
        gone = [weakref.ref(x), weakref.ref(y)]
        del x, y
        assert [ref() for ref in gone] == [None, None]
    assert sum(e.self_cpu_memory_usage for e in prof.events()) == 0


def test_a_profile_that_nobody_has_any_more_is_gone():
    prof = trained(**EVERYTHING)
    everything_of(prof)
    gone = weakref.ref(prof)
    del prof
    gc.collect()
    assert gone() is None
