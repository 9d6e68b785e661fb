"""Work on devices in the event tree: under the call that launched it, under the op that made the call."""

from __future__ import annotations

import pickle

import pytest

from mindtorch_v2.core import device as core_device
from mindtorch_v2.profiler import ProfilerActivity, load, profile, record_function
from mindtorch_v2.profiler.kineto.fields import _ExtraFields_Kineto
from mindtorch_v2.profiler.kineto.traversal import traverse_dfs
from mindtorch_v2.profiler.views.device_type import OF_NAME, DeviceType
from mindtorch_v2.record import places

from .queue_device import QueueDevice
from .saved_answers import answers

BOTH = [ProfilerActivity.CPU, ProfilerActivity.PrivateUse1]


@pytest.fixture
def npu(monkeypatch):
    monkeypatch.setattr(core_device, "_own_name", "npu")
    device = QueueDevice()
    yield device
    device.close()


def profiled(device: QueueDevice, **options):
    with profile(activities=BOTH, profile_memory=True, **options) as prof:
        with record_function("outer"):
            device.launch("kernel", 0.003)
            with record_function("inner"):
                device.launch("copy", 0, "memcpy", 64)
                device.activity.allocated(4096, 100)
        device.launch("nobody's", 0)
    return prof


def tree_of(prof) -> list:
    return prof.profiler.kineto_results.experimental_event_tree()


def shape(nodes: list) -> list:
    return [(node.name, shape(node.children)) for node in nodes]


def test_work_stands_under_its_launch_and_the_launch_under_who_made_it(npu):
    assert shape(tree_of(profiled(npu))) == [
        ("outer", [("npuLaunchKernel", [("kernel", [])]),
                   ("inner", [("npuMemcpyAsync", [("copy", [])]), ("[memory]", [])])]),
        ("npuLaunchKernel", [("nobody's", [])])]


def test_nodes_of_devices_are_of_their_kind_and_say_when_they_ran(npu):
    prof = profiled(npu)
    outer = tree_of(prof)[0]
    launch = outer.children[0]
    kernel, = launch.children
    assert launch.tag.name == kernel.tag.name == "Kineto" and isinstance(kernel.extra_fields, _ExtraFields_Kineto)
    assert kernel.typed == (kernel.tag, kernel.extra_fields)
    event = next(event for event in prof.events() if event.name == "kernel")
    assert kernel.correlation_id == launch.correlation_id == event.id
    assert kernel.duration_time_ns == round(event.device_time_total * 1000) and launch.duration_time_ns == 0
    assert outer.start_time_ns <= launch.start_time_ns <= kernel.start_time_ns
    assert kernel.start_tid == outer.start_tid and kernel.parent is launch and launch.parent is outer
    ids = [node.id for node in traverse_dfs(tree_of(prof))]
    assert len(set(ids)) == len(ids)


def test_launches_of_nobody_stand_under_the_python_call_that_made_them(npu):
    nodes = {node.name: node for node in traverse_dfs(tree_of(profiled(npu, with_stack=True)))}
    assert nodes["nobody's"].parent.parent.name.endswith(": launch")
    assert nodes["kernel"].parent.parent.name == "outer"


def test_memory_of_a_device_is_a_node_that_names_it(npu):
    memory, = (node for node in traverse_dfs(tree_of(profiled(npu))) if node.name == "[memory]")
    fields = memory.extra_fields
    assert (str(fields.device), fields.ptr, fields.alloc_size, fields.total_allocated) == ("npu:0", 4096, 100, 100)
    assert memory.parent.name == "inner"


def test_a_profile_that_was_asked_for_other_kinds_of_work_shows_none_of_this(npu):
    with profile(activities=[ProfilerActivity.CPU]) as prof, record_function("range"):
        npu.launch("kernel", 0)
    assert shape(tree_of(prof)) == [("range", [])]


def test_a_profile_of_the_device_alone_shows_launches_and_work(npu):
    with profile(activities=[ProfilerActivity.PrivateUse1]) as prof, record_function("range"):
        npu.launch("kernel", 0)
    assert shape(tree_of(prof)) == [("npuLaunchKernel", [("kernel", [])])]


def test_kinds_of_devices_have_the_same_numbers_in_recordings_and_in_events():
    assert {name: kind.value for name, kind in OF_NAME.items()} == places.KINDS
    assert places.OWN == DeviceType.PrivateUse1.value


def test_trees_with_devices_can_be_pickled(npu):
    roots = tree_of(profiled(npu))
    assert shape(pickle.loads(pickle.dumps(roots))) == shape(roots)


@pytest.mark.parametrize("options", [{}, {"with_stack": True}, {"with_stack": True, "record_shapes": True}])
def test_a_saved_profile_has_the_same_tree_and_events(npu, tmp_path, options):
    prof = profiled(npu, **options)
    prof.save(tmp_path / "saved.mtprof")
    assert answers(load(tmp_path / "saved.mtprof"), tmp_path) == answers(prof, tmp_path)
