"""The memory profile's arrays: worked out once, at a bounded price, for every kind of profile."""

from __future__ import annotations

import gzip
import json
import runpy
import threading
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, schedule
from mindtorch_v2.profiler.kineto.identity import identify
from mindtorch_v2.profiler.memory import coalesced, passes
from mindtorch_v2.profiler.memory.keys import Action

WISHES = {"record_shapes": True, "profile_memory": True, "with_stack": True}
# torch's files of a profile in which no memory changed; of the page, what it says.
EMPTY = {"memory.json": [[], []], "memory.json.gz": [[], []], "memory.raw.json.gz": [],
         "memory.html": "No memory changed on this device."}
FILES = tuple(EMPTY)
BYTES_PER_OP = 400


def trained(steps: int):
    """A profile of a small network's training, and how many ops it has."""
    model = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x = torch.ones(4, 3)
    with profile(**WISHES) as prof:
        for _ in range(steps):
            optimizer.zero_grad()
            (model(x) ** 2).mean().backward()
            optimizer.step()
    return prof, int((prof.profiler.kineto_results._recorded.table["scope"] < 32).sum())


def exported(prof, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        prof.export_memory_timeline(str(path), **options)
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return text if path.suffix == ".html" else json.loads(text)


def test_all_files_share_what_was_worked_out_once(tmp_path):
    prof, _ = trained(2)
    analysis = prof._memory_profile()._analysis
    parts = {name: getattr(analysis, name) for name in ("edges", "categories", "changes")}
    for name in FILES:
        exported(prof, tmp_path / name)
    assert prof._memory_profile()._analysis is analysis
    assert all(getattr(analysis, name) is part for name, part in parts.items())


@pytest.mark.filterwarnings("ignore:Warning. Profiler clears events")
def test_a_profile_that_is_used_again_is_worked_out_again():
    prof, _ = trained(1)
    before = len(prof._memory_profile().timeline)
    prof.start()
    prof.stop()
    assert before and not prof._memory_profile().timeline


def test_an_op_costs_no_more_than_400_bytes_and_makes_no_event(tmp_path):
    trained(1)[0]._memory_profile()._analysis.changes  # noqa: B018 - what is made once is made now
    prof, ops = trained(300)
    tracemalloc.start()
    for name in FILES:
        exported(prof, tmp_path / name)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak / ops < BYTES_PER_OP
    assert not prof.profiler.kineto_results._tree._made


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("program", [lambda: None, lambda: sum(range(5))], ids=["nothing", "only Python"])
def test_a_profile_without_memory_makes_empty_files(name, program, tmp_path):
    with profile(**WISHES) as prof:
        program()
    written = exported(prof, tmp_path / name)
    assert EMPTY[name] in written if name.endswith(".html") else EMPTY[name] == written


def test_another_device_has_no_memory(tmp_path):
    prof, _ = trained(1)
    assert exported(prof, tmp_path / "memory.json", device="cuda:0") == [[], []]
    assert exported(prof, tmp_path / "memory.raw.json.gz", device="cuda:0") == []


def test_tensors_given_only_to_an_op_that_torch_does_not_know_flow_nowhere():
    x = torch.ones(3)
    library = torch.library.Library("memory_analysis", "DEF")
    library.define("same(Tensor(a) x) -> Tensor(a)")
    library.impl("same", lambda x: x, "CompositeImplicitAutograd")
    torch.ops.memory_analysis.same(x)
    with profile(**WISHES) as prof:
        torch.ops.memory_analysis.same(x)
    memory = prof._memory_profile()
    assert "memory_analysis::same" in {event.name for event in memory._op_tree.dfs()}
    assert (memory._data_flow_graph.flow_nodes, memory.timeline) == ((), ())


@pytest.mark.parametrize("start", [False, True])
def test_a_profile_that_is_not_finished_has_no_memory_profile(start):
    prof = profile(**WISHES)
    if start:
        prof.start()
    with pytest.raises(AssertionError, match="^Profiler and kineto_results must be initialized for memory profiling$"):
        prof._memory_profile()
    if start:
        prof.stop()


def test_memory_that_an_earlier_profile_saw_and_no_op_was_given_stands_first_when_it_goes():
    with profile(profile_memory=True):
        unused = torch.ones(50)
    with profile(**WISHES) as prof:
        del unused
    assert [(time_ns if time_ns < 0 else 0, action, size) for time_ns, action, _, size in
            prof._memory_profile().timeline] == [(-1, Action.PREEXISTING, 200), (0, Action.DESTROY, 200)]


def test_the_release_of_a_tensor_that_was_there_before_ends_what_stood_first():
    x, unused = torch.ones(100), torch.ones(50)
    with profile(**WISHES) as prof:
        y = x + 1
        del x, unused
    entries = [(action, getattr(key, "id", None), size) for _, action, (key, _), size in prof._memory_profile().timeline
               if size in (400, 200)]
    assert y.sum() == 200 and entries == [
        (Action.PREEXISTING, 1, 400), (Action.PREEXISTING, None, 200), (Action.CREATE, None, 400),
        (Action.DESTROY, 1, 400), (Action.DESTROY, None, 200)]


def test_every_cycle_of_a_schedule_has_its_own_timeline(tmp_path):
    sizes = []

    def ready(prof):
        raw = exported(prof, tmp_path / f"{prof.step_num}.raw.json.gz")
        sizes.append({change for _, action, change, _ in raw if action == Action.CREATE.value})

    held = []
    with profile(**WISHES, schedule=schedule(wait=1, warmup=1, active=1, repeat=2), on_trace_ready=ready) as prof:
        for step in range(6):
            held.append(torch.empty(1000 * (step + 1)))
            prof.step()
    assert [{size for size in found if size >= 4000} for found in sizes] == [{12_000}, {24_000}]


def test_a_tensor_that_one_thread_drops_while_another_has_read_it_keeps_its_version():
    """The op that drops it began before the one that reads it: in the order of ops, it is read when it is gone."""
    shared, begun, was_read = [], threading.Event(), threading.Event()

    class Drop(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            begun.set()
            was_read.wait(5)
            shared.clear()
            return grad

    def read():
        begun.wait(5)
        shared[0] + 1  # noqa: B018
        was_read.set()

    thread = threading.Thread(target=read)
    weight = torch.ones(3, requires_grad=True)
    with profile(**WISHES) as prof:
        shared.append(torch.ones(1000).mul_(2))
        thread.start()
        Drop.apply(weight).sum().backward()
        thread.join()
    memory = prof._memory_profile()
    (reading,) = [node for node in memory._data_flow_graph.flow_nodes
                  if node._event.name == "aten::add" and node._event.start_tid != 1]
    ((key, (_, version)),) = [item for item in reading.inputs.items() if memory._size_map[item[0]] == 4000]
    assert version == 1 and memory._data_flow_graph._active_version[key] is None
    memory._data_flow_graph.validate()


def test_microseconds_are_cut_off_as_torch_does():
    """torch divides in floating point: above 2**50 microseconds, the last eighth of one is rounded up."""
    times_ns = 1_794_848_116_753_124_000 + np.arange(1000)
    assert coalesced.microseconds(times_ns).tolist() == [int(t / 1000) for t in times_ns.tolist()]
    assert coalesced.microseconds(np.array([-1, 0, 999, 1000])).tolist() == [0, 0, 0, 1]


def test_tensors_that_shared_an_allocation_in_turn_are_one_whatever_the_order():
    sights = {"time_ns": np.arange(8), "tensor": np.array([7, 8, 9, 7, 8, 0, 9, 5]),
              "address": np.array([16, 32, 48, 32, 48, 64, 80, 96]), "change": np.zeros(8, np.int64)}
    allocation, tensor = identify(sights.__getitem__)
    assert allocation.tolist() == [1, 2, 3, 2, 3, 4, 5, 6]
    assert tensor[allocation].tolist() == [0, 0, 0, 0, 0, -1, 0, 1]


def test_the_passes_do_the_same_compiled_and_as_python():
    """The same lines, run as they stand."""
    plain = runpy.run_path(str(Path(__file__).parents[3] / "src/mindtorch_v2/profiler/memory/passes.py"),
                           run_name="mindtorch_v2.profiler.memory.passes_as_python")
    random = np.random.default_rng(0)
    n_steps, n_edges, n_values, n_tensors = 60, 200, 80, 20
    first = np.sort(np.r_[0, random.integers(0, n_edges, n_steps - 1), n_edges]).astype(np.int32)
    read, written = (random.integers(-1, n_values, n_edges).astype(np.int32) for _ in range(2))
    tensor = random.integers(0, n_tensors, n_edges).astype(np.int32)
    backward = random.integers(0, 2, n_steps).astype(np.int8)
    category = (random.integers(0, 8, n_values) * (random.random(n_values) < 0.2)).astype(np.int8)
    parent = np.array([random.integers(-1, i) if i else -1 for i in range(n_edges)], np.int32)
    marks = (random.random(n_edges) < 0.1).astype(np.int8)

    def results(run) -> list:
        flow, own = (first, read, written), category.copy()
        top, waiting = np.empty(n_edges, np.int32), np.arange(n_steps, dtype=np.int32)
        depends, marked = (np.arange(n_tensors) < 2).astype(np.int8), [np.zeros(n_values, np.int8) for _ in range(4)]
        marked[2][:5] = 1
        run["outermost"](parent, marks, top)
        run["reach_learned"](*flow, own, marked[0])
        left = run["spread"](waiting, n_steps, *flow, tensor, depends)
        run["reach_gradients"](*flow, own, marked[1])
        run["follow_inputs"](*flow, backward, own, marked[2], marked[3])
        run["spread_activations"](*flow, backward, own)
        run["spread_autograd_detail"](*flow, backward, own)
        return [top.tolist(), left, waiting[:left].tolist(), depends.tolist(), own.tolist(), *map(list, marked)]

    assert results(vars(passes)) == results(plain)
