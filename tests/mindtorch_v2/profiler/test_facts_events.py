"""Facts 40 to 54 and 67 of events, averages and ranges, as far as no other test holds them."""

from __future__ import annotations

import pickle

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd import profiler as autograd_profiler
from mindtorch_v2.autograd.profiler import EventList, FunctionEvent
from mindtorch_v2.profiler import _ExperimentalConfig, _RecordFunctionFast, profile, record_function

from .reading import count, row_of, some_ops


def test_fact_40_events_stand_in_the_order_of_their_start():
    with profile() as prof:
        with record_function("outer"):
            some_ops()
    starts = [e.time_range.start for e in prof.events()]
    assert starts == sorted(starts) and prof.events()[0].name == "outer"
    assert len({e.thread for e in prof.events()}) == 1 and prof.events()[0].thread < 1000


def test_fact_41_the_inner_half_of_detach_has_no_sequence_number():
    x = torch.ones(2, requires_grad=True)
    with profile() as prof:
        x.detach()
    outer, inner = prof.events()
    assert (outer.name, outer.sequence_nr >= 0) == ("aten::detach", True)
    assert (inner.name, inner.sequence_nr) == ("detach", -1)


def test_fact_41_accumulated_gradients_have_no_sequence_number():
    x = torch.ones(2, requires_grad=True)
    with profile() as prof:
        (x * 2).sum().backward()
    by_name = {e.name: e for e in prof.events()}
    leaf = by_name["torch::autograd::AccumulateGrad"]
    assert (leaf.sequence_nr, leaf.scope) == (-1, 1)
    node = by_name["MulBackward0"]
    assert (node.scope, node.fwd_thread, by_name["aten::mul"].fwd_thread) == (1, by_name["aten::mul"].thread, 0)


def test_fact_42_a_fast_range_is_an_op_unless_its_scope_says_otherwise():
    with profile(record_shapes=True) as prof:
        with record_function("range"), _RecordFunctionFast("op"):
            with _RecordFunctionFast("mine", [], {"scope": "user_scope"}):
                pass
    shown = {e.name: (e.is_user_annotation, e.activity_type) for e in prof.events()}
    assert shown == {"range": (True, "user_annotation"), "op": (False, "cpu_op"), "mine": (True, "user_annotation")}


def test_fact_43_shapes_of_ranges_and_lists():
    with profile(record_shapes=True) as prof:
        with record_function("with args", "args"), record_function("without"):
            torch.cat([torch.ones(2), torch.ones(3)])
    shapes = {e.name: (e.input_shapes, e.structured_input_shapes) for e in prof.events()}
    assert shapes["with args"] == ([[]], [[]]) and shapes["without"] == ([], [])
    assert shapes["aten::cat"] == ([[], []], [[[2], [3]], []])


def test_fact_48_a_profile_is_its_table():
    assert str(autograd_profiler.profile()) == repr(autograd_profiler.profile()) == \
        "<unfinished torch.autograd.profile>"
    with autograd_profiler.profile() as prof:
        some_ops()
    assert str(prof) == prof.table() == prof.function_events.table() != ""
    unfinished = autograd_profiler.profile()
    assert unfinished.table() == "" and unfinished.key_averages() == [] and unfinished.self_cpu_time_total == 0


def test_fact_54_what_an_op_allocates_is_charged_to_the_op_inside_it():
    with profile(profile_memory=True) as prof:
        kept = torch.rand(10, 10)
    rows = prof.key_averages()
    rand, empty = row_of(rows, "aten::rand"), row_of(rows, "aten::empty")
    assert (rand.cpu_memory_usage, rand.self_cpu_memory_usage) == (400, 0)
    assert (empty.cpu_memory_usage, empty.self_cpu_memory_usage) == (400, 400) and kept is not None


class MySGD(torch.optim.SGD):
    """A user's own optimiser."""


def test_fact_67_an_optimizer_s_ranges_carry_its_class_and_survive_pickling():
    weight = torch.nn.Parameter(torch.ones(2))
    weight.grad = torch.ones(2)
    optimizer = MySGD([weight], 0.1)
    again = pickle.loads(pickle.dumps(optimizer))
    with profile() as prof:
        optimizer.step()
        again.step()
        optimizer.zero_grad()
    assert count(prof, "Optimizer.step#MySGD.step") == 2
    assert count(prof, "Optimizer.zero_grad#MySGD.zero_grad") == 1


def test_metadata_of_an_event_is_empty_on_the_processor():
    with profile() as prof:
        some_ops()
    event = prof.events()[0]
    assert event.event_metadata is None
    with pytest.warns(FutureWarning, match="`metadata_json` is deprecated. Use `event_metadata` instead."):
        assert event.metadata_json == ""
    with profile(experimental_config=_ExperimentalConfig(expose_kineto_event_metadata=True)) as prof:
        torch.ones(1)
    with pytest.warns(FutureWarning):
        assert [e.metadata_json for e in prof.events()] == ['"Ev Idx": 0', '"Ev Idx": 1', '"Ev Idx": 2']


def test_the_first_gradient_is_no_op_of_the_forward_pass():
    x = torch.ones(2, requires_grad=True)
    for create_graph in (False, True):
        y = x.sum()
        with profile() as prof:
            torch.autograd.grad(y, x, create_graph=create_graph)
        assert [e.sequence_nr for e in prof.events() if e.name == "aten::ones_like"] == [-1]


def test_children_of_events_made_by_hand_are_read_from_their_times():
    """Of two that overlap the later one closes the earlier, and nothing is left out."""
    times = [(1, 0, 1), (1, 1, 2), (0, 0, 2), (0, 1, 2), (0, 1, 3)]
    events = EventList(FunctionEvent(id=number, name="", thread=thread, start_us=start, end_us=end)
                       for number, (thread, start, end) in enumerate(times))
    events._populate_cpu_children()
    assert [[child.id for child in event.cpu_children] for event in events] == [[], [], [], [], [3]]
