"""Memory by category, against torch: the same events give the same numbers, flow, categories and timeline."""

from __future__ import annotations

import gzip
import xml.dom.minidom
from collections import Counter

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile
from mindtorch_v2.profiler.kineto.fields import _ExtraFields_Allocation, _ExtraFields_TorchOp, _TensorMetadata
from mindtorch_v2.profiler.kineto.traversal import traverse_dfs
from mindtorch_v2.profiler.memory import timeline
from mindtorch_v2.profiler.memory.keys import Category
from mindtorch_v2.profiler.memory.memory_profile import MemoryProfile
from mindtorch_v2.profiler.session.schema_matcher import SchemaMatcher

from .memory_programs import PROGRAMS
from .replayed_memory import Replay, recorded_by_torch

NAMES = [program.__name__ for program in PROGRAMS]


@pytest.fixture(params=NAMES, scope="module")
def torchs(request):
    return recorded_by_torch()[request.param]


@pytest.fixture(scope="module")
def ours(torchs):
    return Replay(torchs).result()


def nodes(tree):
    for node in tree:
        yield node
        yield from nodes(node[4])


def test_tree_has_the_same_nodes_in_the_same_order(torchs, ours):
    found = [e.name for e in traverse_dfs(ours.experimental_event_tree())]
    assert found == [name for name, *_ in nodes(torchs["tree"])]


def test_tensors_and_allocations_get_the_same_numbers(torchs, ours):
    for event, (_, _, _, extra, _) in zip(traverse_dfs(ours.experimental_event_tree()), nodes(torchs["tree"])):
        fields = event.extra_fields
        if isinstance(fields, _ExtraFields_Allocation):
            assert [fields.id, fields.allocation_id] == extra["ids"], event
        elif isinstance(fields, _ExtraFields_TorchOp):
            assert [ids(v) for v in fields.inputs] == [torch_ids(v) for v in extra["inputs"]], event


def ids(value):
    if isinstance(value, list):
        return [ids(v) for v in value]
    return [value.id, value.allocation_id] if isinstance(value, _TensorMetadata) else value


def torch_ids(value):
    if isinstance(value, dict):
        return value["tensor"][5:] if "tensor" in value else [t[5:] for t in value["tensors"]]
    return value


def test_same_inputs_are_written_to(torchs, ours):
    for event, (_, _, _, extra, _) in zip(traverse_dfs(ours.experimental_event_tree()), nodes(torchs["tree"])):
        # torch does not recognise an op that was given a tensor without memory; we do.
        if isinstance(event.extra_fields, _ExtraFields_TorchOp) and all(map(has_memory, extra["inputs"])):
            assert list(SchemaMatcher.inputs_are_mutable(event.extra_fields)) == extra["mutable"], event


def has_memory(value) -> bool:
    return not isinstance(value, dict) or "tensors" in value or value["tensor"][1] is not None


def test_data_flows_the_same_way(torchs, ours):
    found = MemoryProfile(ours)._data_flow_graph.flow_nodes
    assert [[n._event.name, {str(k.id): list(v) for k, v in n.inputs.items()},
             {str(k.id): v for k, v in n.outputs.items()}, [k.id for k in n.intermediates]]
            for n in found] == torchs["flow"]


def test_timeline_has_the_same_sizes_and_categories(torchs, ours):
    memory = MemoryProfile(ours)
    found = []
    for time_ns, action, (key, version), size in memory.timeline:
        category = memory._categories.get(key, version)
        found.append([time_ns - torchs["start_ns"] if time_ns >= 0 else -1, action.name, getattr(key, "id", None),
                      version, size, category and category.name])
    assert found == torchs["timeline"]


# Programs in which nothing is released in another order than torch does.
SAME_ORDER = ("views_and_resizes", "train_by_hand", "forward_only", "lists")


@pytest.mark.parametrize("program", PROGRAMS)
def test_our_own_run_of_a_program_uses_memory_as_torchs_does(program):
    """Whatever is not a temporary of a kernel: the same actions on as many bytes for the same purpose."""
    run = program(torch)
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        run()
    memory = prof._memory_profile()
    ours = [(action.name, version, size, getattr(memory._categories.get(key, version), "name", None))
            for _, action, (key, version), size in memory.timeline]
    torchs = [(action, version, size, category)
              for _, action, _, version, size, category in recorded_by_torch()[program.__name__]["timeline"]]
    if program.__name__ in SAME_ORDER:
        assert ours == torchs
    assert Counter(e for e in ours if e[3] != "TEMPORARY") == Counter(e for e in torchs if e[3] != "TEMPORARY")


@pytest.mark.parametrize("name", ["views_and_resizes", "train_sgd_momentum"])
@pytest.mark.parametrize("file", ["memory.json", "memory.json.gz", "memory.raw.json.gz"])
def test_files_hold_what_torch_writes(name, file, tmp_path):
    torchs = recorded_by_torch()[name]
    timeline.export(MemoryProfile(Replay(torchs).result()), str(tmp_path / file), "cpu")
    data = (tmp_path / file).read_bytes()
    assert (gzip.decompress(data) if file.endswith(".gz") else data).decode() == torchs["files"][file]


def test_an_op_that_is_given_an_empty_tensor_is_recognised():
    """torch knows no schema for it."""
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        torch.ones(0).add_(torch.ones(0))
    (op,) = [e.extra_fields for e in traverse_dfs(prof.profiler.kineto_results.experimental_event_tree())
             if e.name == "aten::add_"]
    assert SchemaMatcher.inputs_are_mutable(op) == (True, False, False)


def test_page_draws_every_category_and_needs_nothing_else(tmp_path):
    path = tmp_path / "memory.html"
    timeline.export(MemoryProfile(Replay(recorded_by_torch()["train_sgd_momentum"]).result()), path, "cpu")
    page = path.read_text()
    for category in ("PARAMETER", "OPTIMIZER_STATE", "INPUT", "ACTIVATION", "GRADIENT", "AUTOGRAD_DETAIL"):
        assert f"<title>{category}</title>" in page
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")
    xml.dom.minidom.parseString(page[page.index("<svg"):page.index("</svg>") + 6])


def test_page_of_a_device_that_was_not_used_says_so(tmp_path):
    path = tmp_path / "memory.html"
    timeline.export(MemoryProfile(Replay(recorded_by_torch()["lists"]).result()), path, "cuda:0")
    assert "No memory changed on this device." in path.read_text()


def test_nothing_is_left_behind_when_a_folder_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        timeline.export(MemoryProfile(Replay(recorded_by_torch()["lists"]).result()), tmp_path / "no" / "a.json", "cpu")
    assert not list(tmp_path.iterdir())


def test_a_gradient_that_no_op_touches_is_known_from_its_module():
    model = torch.nn.Linear(2, 1)
    model(torch.ones(1, 2)).sum().backward()
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        model(torch.ones(1, 2))
    categories = prof._memory_profile()._category_snapshot()
    pointers = {p.grad.untyped_storage().data_ptr() for p in model.parameters()}
    assert {key.storage.ptr for (key, _), category in categories.items() if category is Category.GRADIENT} == pointers


def test_what_arrived_at_a_node_goes_before_what_it_had_saved():
    """Its derivative done, a node lets go of the gradient it was given first, then of what it kept: torch's order."""
    x = torch.ones(4, requires_grad=True)
    inner = (x * 2).relu()
    saved = inner.untyped_storage().data_ptr()
    outer = (inner * 3).sum()
    del inner
    with profile(profile_memory=True) as prof:
        outer.backward()
    node = next(e for e in traverse_dfs(prof.profiler.kineto_results.experimental_event_tree())
                if e.name == "autograd::engine::evaluate_function: ReluBackward0")
    freed = [e.extra_fields.ptr for e in node.children if e.name == "[memory]"]
    assert len(freed) == 2 and freed[1] == saved


def test_what_an_expression_makes_stays_to_its_end():
    x = torch.full((3,), 2.0, requires_grad=True)
    y = (x ** 3).sum()
    with profile(profile_memory=True) as prof:
        y.backward()
    node = next(e for e in traverse_dfs(prof.profiler.kineto_results.experimental_event_tree())
                if e.name == "PowBackward0")
    assert [e.name for e in node.children] == ["aten::pow", "aten::mul", "aten::mul", "[memory]", "[memory]"]
