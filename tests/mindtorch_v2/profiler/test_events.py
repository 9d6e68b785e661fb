"""``events()``: what is in it, what each event says, and the list as a list."""

from __future__ import annotations

import pickle

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.autograd.profiler_util import EventList, FunctionEvent
from mindtorch_v2.profiler import ProfilerActivity, profile, record_function

from .reading import names, some_ops

CPU = ProfilerActivity.CPU


def test_events_show_every_op_and_what_it_calls():
    with profile() as prof:
        torch.ones(2)
    assert names(prof) == ["aten::ones", "aten::empty", "aten::fill_"]
    ones, empty, fill = prof.events()
    assert [c.name for c in ones.cpu_children] == ["aten::empty", "aten::fill_"]
    assert empty.cpu_parent is ones and fill.cpu_parent is ones and ones.cpu_parent is None


def test_nothing_is_recorded_before_start_and_after_stop():
    torch.ones(2)
    prof = profile()
    prof.start()
    torch.zeros(2)
    prof.stop()
    torch.ones(2)
    assert names(prof)[0] == "aten::zeros" and "aten::ones" not in names(prof)


def test_event_that_repeats_its_parent_is_left_out():
    with profile() as prof:
        with record_function("a"), record_function("a"), record_function("a"):
            with record_function("b"):
                pass
            with record_function("a"):
                pass
    outer, b, inner = prof.events()
    assert (outer.name, b.name, inner.name) == ("a", "b", "a")
    assert outer.cpu_parent is None and b.cpu_parent is outer and inner.cpu_parent is outer


def test_backward_nodes_share_the_sequence_number_of_their_op():
    x = torch.ones(2, 3, requires_grad=True)
    with profile() as prof:
        (x * x).sum().backward()
    mul = row = next(e for e in prof.events() if e.name == "aten::mul")
    node = next(e for e in prof.events() if e.name == "MulBackward0")
    around = next(e for e in prof.events() if e.name == "autograd::engine::evaluate_function: MulBackward0")
    assert mul.sequence_nr == node.sequence_nr == around.sequence_nr >= 0
    assert (mul.scope, node.scope, around.scope) == (0, 1, 0)
    assert row.flow_start and not node.flow_start and mul.flow_id == node.flow_id > 0 and around.flow_id == 0
    assert node.fwd_thread == mul.thread and mul.fwd_thread == 0


def test_input_shapes_of_tensors_lists_and_scalars():
    with profile(record_shapes=True) as prof:
        torch.ones(2, 3).mm(torch.ones(3, 4))
        with record_function("with args", "text"):
            pass
        with record_function("without"):
            pass
    shapes = {e.name: e.input_shapes for e in prof.events()}
    assert shapes["aten::mm"] == [[2, 3], [3, 4]]
    assert shapes["aten::ones"] == [[], [], [], [], []]
    assert shapes["with args"] == [[]] and shapes["without"] == []


def test_input_shapes_are_empty_unless_asked_for():
    with profile() as prof:
        torch.ones(2, 3).mm(torch.ones(3, 4))
    assert all(e.input_shapes == [] for e in prof.events())


def test_with_flops_counts_and_shows_shapes():
    with profile(with_flops=True) as prof:
        torch.ones(2, 3).mm(torch.ones(3, 4))
    mm = next(e for e in prof.events() if e.name == "aten::mm")
    assert mm.flops == 2 * 2 * 3 * 4 and mm.input_shapes == [[2, 3], [3, 4]]
    assert "FLOPs" in prof.key_averages().table()


def test_events_are_made_once_and_kept():
    with profile() as prof:
        some_ops()
    events = prof.events()
    assert events is prof.events() and events[0] is events[0] and list(events)[1] is events[1]
    assert events[1].cpu_parent is events[0]


def test_events_while_recording_are_a_snapshot():
    prof = profile()
    prof.start()
    torch.ones(2)
    seen = names(prof)
    torch.zeros(2)
    prof.stop()
    assert seen == ["aten::ones", "aten::empty", "aten::fill_"]
    assert names(prof)[:3] == seen and "aten::zeros" in names(prof)


def test_event_list_is_a_list():
    with profile() as prof:
        some_ops()
    events = prof.events()
    plain = list(events)
    assert isinstance(events, list) and isinstance(events, EventList) and len(events) == len(plain)
    assert events[1:3] == plain[1:3] and type(events[1:3]) is list and events[-1] is plain[-1]
    assert sorted(events, key=lambda e: e.name)[0].name == min(e.name for e in plain)
    assert [*events] == plain == [] + events == events + [] and plain[0] in events and tuple(events) == tuple(plain)
    with pytest.raises(IndexError, match="list index out of range"):
        events[len(plain)]


def test_event_list_can_be_changed_like_a_list():
    with profile() as prof:
        some_ops()
    events = prof.events()
    plain = list(events)
    events.reverse()
    assert list(events) == plain[::-1]
    events.sort(key=lambda e: e.time_range.start)
    last = events.pop()
    events.append(last)
    events.insert(0, last)
    events.remove(last)
    events.extend([last])
    assert list(events) == plain + [last] and events.index(last) == len(plain) - 1 and events.count(last) == 2
    events.clear()
    assert len(events) == 0 and events.table() == ""


def test_events_survive_pickling():
    with profile(record_shapes=True) as prof:
        some_ops()
    again = pickle.loads(pickle.dumps(prof.events()))
    assert [(e.name, e.input_shapes, e.id) for e in again] == [(e.name, e.input_shapes, e.id) for e in prof.events()]
    assert again[1].cpu_parent is again[0]


def test_function_event_made_by_hand():
    parent, child = FunctionEvent(1, "x", 2, 3, 9), FunctionEvent(2, "y", 2, 4, 5)
    parent.append_cpu_child(child)
    child.set_cpu_parent(parent)
    assert parent.self_cpu_time_total == 5 and parent.cpu_time_str == "6.000us" and child.cpu_parent is parent
    assert repr(child).startswith("<FunctionEvent id=2 name=y overload_name=None device_type=DeviceType.CPU node_id=-1")
    with pytest.raises(AssertionError, match="Expected child to be a FunctionEvent"):
        parent.append_cpu_child("z")


def test_a_list_made_by_hand_finds_its_tree():
    """The later of two that overlap closes the earlier; neither is the other's child."""
    spans = [("x", 2, 3, 9), ("y", 2, 4, 5), ("z", 1, 4, 12), ("w", 2, 8, 12), ("v", 2, 9, 10), ("v", 2, 9, 10)]
    events = EventList(FunctionEvent(i, name, thread, start, end) for i, (name, thread, start, end) in enumerate(spans))
    events._build_tree()
    assert [(e.name, e.cpu_parent and e.cpu_parent.name) for e in events] == [
        ("x", None), ("y", "x"), ("z", None), ("w", None), ("v", "w")]
    with pytest.raises(AssertionError, match="Expected tree to be built before calling key_averages"):
        EventList(events).key_averages()
