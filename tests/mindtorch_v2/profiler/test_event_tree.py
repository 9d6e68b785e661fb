"""The event tree of a real profile: what every kind of node says."""

from __future__ import annotations

import gc
import inspect
import json

import pytest

import mindtorch_v2 as torch
from mindtorch_v2._C import _profiler
from mindtorch_v2._C._profiler import _EventType
from mindtorch_v2.profiler import _ExperimentalConfig, profile, record_function
from mindtorch_v2.profiler._utils import traverse_dfs


def recorded(run, **options):
    """A profile of ``run`` with everything recorded."""
    with profile(**{"record_shapes": True, "profile_memory": True, "with_stack": True, **options}) as prof:
        run()
    return prof


def nodes(prof, name: str | None = None) -> list:
    found = traverse_dfs(prof.profiler.kineto_results.experimental_event_tree())
    return [e for e in found if name is None or e.name == name]


def ops(prof, name: str) -> list:
    return [e.extra_fields for e in nodes(prof, name)]


def test_results_exist_once_there_are_any():
    prof = profile()
    with prof:
        assert prof.profiler.kineto_results is None
    assert prof.profiler.kineto_results.experimental_event_tree() == []


def test_nodes_are_one_object_wherever_they_are_met():
    tree = recorded(lambda: torch.ones(2)).profiler.kineto_results.experimental_event_tree()
    for event in traverse_dfs(tree):
        assert all(child.parent is event for child in event.children)
        assert event.typed == (event.tag, event.extra_fields)
        assert event.start_time_ns + event.duration_time_ns == event.end_time_ns


def test_ids_are_different():
    found = [e.id for e in nodes(recorded(lambda: torch.ones(2) + 1))]
    assert len(set(found)) == len(found)


def test_op_shows_its_inputs():
    x = torch.ones(10, 10).as_strided([4, 4], [12, 3])
    given, other, number = ops(recorded(lambda: x.add(x, alpha=3)), "aten::add")[0].inputs
    assert (given.sizes, given.strides, given.dim, given.dtype) == ([4, 4], [12, 3], 2, torch.float32)
    assert (given.layout, given.device) == (torch.strided, torch.device("cpu"))
    assert given.storage_data_ptr == x.untyped_storage().data_ptr()
    assert given.impl_ptr == other.impl_ptr and number == 3


def test_lists_of_tensors_are_lists_and_lists_of_numbers_are_left_out():
    x = torch.ones(2)
    tensors, dim = ops(recorded(lambda: torch.cat([x, x])), "aten::cat")[0].inputs
    assert (len(tensors), tensors[0].id, dim) == (2, tensors[1].id, 0)
    assert ops(recorded(lambda: x.view(1, 2)), "aten::view")[0].inputs[1:] == [None]


def test_tensor_objects_are_told_apart_although_their_addresses_are_used_again():
    def run():
        for _ in range(200):
            torch.ones(1)

    fills = ops(recorded(run), "aten::fill_")
    assert len({fill.inputs[0].impl_ptr for fill in fills}) == 200
    assert len({fill.inputs[0].id for fill in fills}) == 200


def test_allocations_are_told_apart_although_their_addresses_are_used_again():
    def run():
        for _ in range(50):
            torch.ones(64)

    made = [e.extra_fields for e in nodes(recorded(run)) if e.tag is _EventType.Allocation]
    assert len({a.allocation_id for a in made}) == 50
    assert [a.alloc_size for a in made] == [256, -256] * 50


def test_resize_keeps_the_tensor_and_moves_its_memory():
    def run():
        x = torch.ones(2, 2)
        x.resize_(100)
        x.add_(1.0)

    prof = recorded(run)
    before, after = ops(prof, "aten::resize_")[0].inputs[0], ops(prof, "aten::add_")[0].inputs[0]
    assert before.id == after.id and before.impl_ptr == after.impl_ptr
    assert before.allocation_id != after.allocation_id and before.storage_data_ptr != after.storage_data_ptr


def test_set_makes_two_tensors_one():
    def run():
        x, y = torch.ones(3), torch.ones(4)
        x.set_(y)
        x.mul_(2)

    prof = recorded(run)
    assert len({fill.inputs[0].id for fill in ops(prof, "aten::fill_")}) == 1


def test_memory_changes_say_how_much_is_alive():
    made, released = [e.extra_fields for e in nodes(recorded(lambda: torch.ones(64)))
                      if e.tag is _EventType.Allocation]
    assert made.total_allocated - released.total_allocated == 256
    assert (made.ptr, made.device, made.total_reserved) == (released.ptr, torch.device("cpu"), 0)


def test_release_of_what_was_there_before_is_shown():
    held = [torch.ones(64)]
    (released,) = [e.extra_fields for e in nodes(recorded(held.clear)) if e.tag is _EventType.Allocation]
    assert released.alloc_size == -256


def test_tensors_have_numbers_with_shapes_and_memory_alone():
    made = []
    prof = recorded(lambda: made.append(torch.ones(2)), with_stack=False)
    given = ops(prof, "aten::fill_")[0].inputs[0]
    birth = next(e.extra_fields for e in nodes(prof) if e.tag is _EventType.Allocation)
    assert given.storage_data_ptr == made[0].data_ptr() == birth.ptr
    assert given.id is not None and given.id == birth.id


def test_with_shapes_alone_tensors_have_no_addresses():
    given = ops(recorded(lambda: torch.ones(2), with_stack=False, profile_memory=False), "aten::fill_")[0].inputs[0]
    assert (given.id, given.impl_ptr, given.storage_data_ptr, given.sizes) == (None, None, None, [2])


def test_module_call_shows_parameters_and_gradients():
    model = torch.nn.Linear(3, 2)
    model(torch.ones(1, 3)).sum().backward()
    (call,) = ops(recorded(lambda: model(torch.ones(1, 3))), "nn.Module: Linear_0")
    assert (call.module.cls_name, call.module.self_ptr, call.optimizer) == ("Linear", id(model), None)
    assert [(name, p.sizes, g.sizes) for name, p, g in call.module.parameters] == [
        ("weight", [2, 3], [2, 3]), ("bias", [2], [2])]


def test_module_call_knows_the_function_that_calls_modules():
    model = torch.nn.Sequential(torch.nn.Linear(3, 2))
    line = inspect.getsourcelines(torch.nn.Module._wrapped_call_impl)[1]
    prof = recorded(lambda: model(torch.ones(1, 3)))
    (outer,), (inner,) = ops(prof, "nn.Module: Sequential_0"), ops(prof, "nn.Module: Linear_0")
    for call in (outer, inner):
        assert (call.callsite.function_name, call.callsite.line_number) == ("_wrapped_call_impl", line)
        assert call.callsite.file_name == "mindtorch_v2/nn/modules/module.py"
    assert (outer.caller.function_name, inner.caller.function_name) == ("<lambda>", "forward")


def test_modules_and_optimizers_are_known_with_stacks_alone():
    model = torch.nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), momentum=0.9)
    model(torch.ones(1, 3)).sum().backward()

    def run():
        model(torch.ones(1, 3))
        optimizer.step()

    prof = recorded(run, record_shapes=False, profile_memory=False)
    (call,), (step,) = ops(prof, "nn.Module: Linear_0"), optimizers(prof)
    assert [(name, p.id, p.storage_data_ptr) for name, p, _ in call.module.parameters] == [
        (name, None, p.data_ptr()) for name, p in model.named_parameters()]
    assert [name for _, _, state in step.parameters for name, _ in state] == ["momentum_buffer"] * 2
    limited, = optimizers(recorded(run, record_shapes=False, max_events=10, overflow="spill"))
    assert len(limited.parameters) == 2  # what is known of them goes to disk too


def optimizers(prof) -> list:
    return [e.extra_fields.optimizer for e in nodes(prof) if e.name.endswith(": _optimizer_step_code")]


def test_module_and_op_see_the_same_parameter():
    model = torch.nn.Linear(3, 2)
    prof = recorded(lambda: [model(torch.ones(1, 3)) for _ in range(2)])
    for call, op in zip(ops(prof, "nn.Module: Linear_0"), ops(prof, "aten::linear"), strict=True):
        assert [p.id for _, p, _ in call.module.parameters] == [t.id for t in op.inputs[1:]]


def test_an_optimizer_is_known_as_it_was_at_its_first_step():
    """What it holds is looked at once, as in torch: a gradient that replaces another is not seen."""
    weight = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([weight])

    def two_steps():
        for _ in range(2):
            optimizer.zero_grad(set_to_none=True)
            (weight * 2).sum().backward()
            kept.append(weight.grad)
            optimizer.step()

    kept = []
    first, second = optimizers(recorded(two_steps))
    assert first.parameters[0][1].storage_data_ptr == kept[0].untyped_storage().data_ptr() != kept[1].data_ptr()
    assert second.parameters == first.parameters


def test_optimizer_call_shows_state():
    weight = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.Adam([weight])
    weight.sum().backward()
    prof = recorded(optimizer.step)
    (info,) = [e.extra_fields.optimizer for e in nodes(prof)
               if e.tag is _EventType.PyCall and e.extra_fields.optimizer]
    ((parameter, grad, state),) = info.parameters
    assert info.self_ptr == id(optimizer) and parameter.sizes == grad.sizes == [3]
    assert [name for name, _ in state] == ["step", "exp_avg", "exp_avg_sq"]


def test_calls_know_the_line_they_are_made_from():
    def callee():
        return sorted([2, 1])

    def run():
        return callee()

    first = inspect.getsourcelines(test_calls_know_the_line_they_are_made_from)[1]
    prof = recorded(run)
    (call,) = [e for e in nodes(prof) if e.name.endswith(": callee")]
    (builtin,) = nodes(prof, "<built-in function sorted>")
    assert (call.extra_fields.caller.function_name, call.extra_fields.caller.line_number) == ("run", first + 5)
    assert (builtin.extra_fields.caller.function_name, builtin.extra_fields.caller.line_number) == ("callee", first + 2)
    assert call.extra_fields.callsite.line_number == first + 1


def test_garbage_collection_is_a_node():
    """torch has the event but fails to say what it is."""
    prof = recorded(gc.collect, experimental_config=_ExperimentalConfig(record_python_gc_info=True))
    assert nodes(prof, "Python GC")[0].tag is _EventType.PythonGC


def test_without_shapes_an_op_shows_no_inputs_and_without_memory_there_are_no_numbers():
    assert ops(recorded(lambda: torch.ones(2), record_shapes=False), "aten::fill_")[0].inputs == []
    given = ops(recorded(lambda: torch.ones(2), profile_memory=False), "aten::fill_")[0].inputs[0]
    assert (given.id, given.allocation_id, given.sizes) == (None, None, [2])


def test_a_range_that_is_never_closed_ends_with_the_one_around_it():
    with profile(profile_memory=True) as prof:
        with record_function("outer"):
            left_open = record_function("open").__enter__()
            inside = torch.ones(1)
        after = torch.zeros(1)
    assert left_open and inside is not after
    outer, zeros = prof.profiler.kineto_results.experimental_event_tree()
    (opened,) = outer.children
    assert [child.name for child in opened.children] == ["aten::ones"] and zeros.name == "aten::zeros"
    assert opened.end_time_ns == outer.end_time_ns


def test_raw_events_are_all_calls_and_changes_in_order_of_time():
    prof = recorded(lambda: torch.ones(2), threads="current")
    raw = prof.profiler.kineto_results.events()
    assert [e.start_ns() for e in raw] == sorted(e.start_ns() for e in raw)
    assert len(raw) == len(nodes(prof))
    (fill,) = [e for e in raw if e.name() == "aten::fill_"]
    assert (fill.shapes(), fill.dtypes(), fill.concrete_inputs()) == ([[2], []], ["float", "Scalar"], [None, 1.0])
    assert fill.activity_type() == "cpu_op" and fill.stack()[-1] == raw[0].name()
    assert {e.activity_type() for e in raw} == {"cpu_op", "cpu_instant_event", "python_function"}
    assert [e.nbytes() for e in raw if e.name() == "[memory]"] == [8, -8]


def test_raw_events_know_the_python_call_around_them():
    raw = recorded(lambda: sorted([1])).profiler.kineto_results.events()
    (call,) = [e for e in raw if e.name() == "<built-in function sorted>"]
    (caller,) = [e for e in raw if e.python_id() == call.python_parent_id()]
    assert caller.name().endswith("<lambda>") and call.is_python_function()


def test_saving_raw_results_writes_the_trace(tmp_path):
    prof = recorded(lambda: torch.ones(2))
    prof.profiler.kineto_results.save(str(tmp_path / "trace.json"))
    assert any(e["name"] == "aten::ones" for e in json.loads((tmp_path / "trace.json").read_text())["traceEvents"])


def test_accumulated_cycles_keep_their_modules_apart():
    """Modules are numbered anew with every cycle, so one name stands for another module."""
    first, second = torch.nn.Linear(3, 2), torch.nn.Linear(3, 4)
    with profile(record_shapes=True, with_stack=True, acc_events=True,
                 schedule=torch.profiler.schedule(wait=0, warmup=0, active=1, repeat=2)) as prof:
        for model in (first, second):
            model(torch.ones(1, 3))
            prof.step()
    calls = ops(prof, "nn.Module: Linear_0")
    assert [call.module.parameters[0][1].sizes for call in calls] == [[2, 3], [4, 3]]


def test_stamps_can_be_turned_into_times_of_the_events():
    stamp = _profiler._get_approximate_time()
    prof = recorded(lambda: torch.ones(2))
    now_ns = _profiler._ApproximateClockToUnixTimeConverter().to_unix_ns(stamp)
    assert abs(prof.profiler.kineto_results.trace_start_ns() - now_ns) < 3600 * 10**9


@pytest.mark.parametrize("name", ["ActiveProfilerType", "ProfilerConfig", "ProfilerState", "RecordScope",
                                  "_RecordFunctionFast", "_ExperimentalConfig"])
def test_address_of_torch(name):
    assert hasattr(_profiler, name)
