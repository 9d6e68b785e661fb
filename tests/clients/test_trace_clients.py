"""Files that the profiler writes, opened by the programs they are for."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function, schedule
from mindtorch_v2.utils.data import DataLoader, TensorDataset

from . import programs

STEPS, TASKS = 3, 3
FAULTS = "select name, value from stats where value > 0 and severity in ('error', 'data_loss')"
SLICES = "select s.name, s.ts - (select min(ts) from slice where category in {kinds}), s.dur from slice s " \
         "where s.category in {kinds} order by 2, 3 desc, 1".format(
             kinds="('cpu_op', 'user_annotation', 'python_function')")
MEMORY = "select count(*), max(value) from counter join counter_track on track_id = counter_track.id " \
         "where name like 'Memory%'"
READ_BY_HTA = """
import json, sys
from hta.common.trace import Trace
from hta.common.trace_call_graph import CallGraph
trace = Trace(trace_dir=sys.argv[1])
trace.parse_traces()
trace.decode_symbol_ids()
graph = CallGraph(trace, ranks=[0])
rows = trace.get_trace(0)
op = rows[rows.s_name == "aten::addmm"].iloc[0]
print(json.dumps({"ranks": list(trace.trace_files), "rows": len(rows), "stacks": len(graph.call_stacks),
                  "caller": rows.loc[op.parent].s_name}))
"""
READ_BY_TENSORBOARD = """
import json, sys
from torch_tb_profiler.profiler.data import RunProfileData
from torch_tb_profiler.profiler.event_parser import ProfileRole
from torch_tb_profiler.profiler.module_op import get_module_tree
run = RunProfileData.parse("worker", "0", sys.argv[1], sys.argv[2])
print(json.dumps({"steps": run.steps_names, "loading": run.avg_costs.costs[ProfileRole.DataLoader],
                  "links": len(run.forward_backward_events),
                  "stacks": sum(any(row.callstacks) for row in run.stack_lists_group_by_name["aten::addmm"]),
                  "modules": [module.name for module in get_module_tree(run.tid2tree)]}))
"""


async def task(number: int) -> None:
    with record_function(f"task {number}"):
        torch.ones(2)
        await asyncio.sleep(0.001)


async def gathered() -> None:
    await asyncio.gather(*(task(number) for number in range(TASKS)))


@pytest.fixture(scope="module")
def prof():
    """Training with a DataLoader, a thread, coroutines, and a name that is not ASCII."""
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = iter(DataLoader(TensorDataset(torch.randn(2 * STEPS + 2, 8)), batch_size=2))
    with profile(schedule=schedule(wait=0, warmup=1, active=STEPS, repeat=1), record_shapes=True, profile_memory=True,
                 with_stack=True, with_cpu_time=True) as profiled:
        for batch, in batches:
            with record_function("漢字"):
                model(batch).sum().backward()
            optimizer.step()
            thread = threading.Thread(target=lambda: torch.ones(3).add(1), name="helper")
            thread.start()
            thread.join()
            asyncio.run(gathered())
            profiled.step()
    return profiled


@pytest.fixture(scope="module")
def files(prof, tmp_path_factory):
    """A folder with a file for every program."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "traces").mkdir()
    prof.export_chrome_trace(folder / "traces" / "trace.json")
    prof._export_trace(folder / "tensorboard.json", for_tensorboard=True)
    prof.export_perfetto(folder / "run.pftrace")
    prof.export_speedscope(folder / "run.speedscope.json")
    prof.export_stacks(folder / "stacks.txt", with_ops=True)
    return folder


def shown(files) -> list[dict]:
    events = json.loads((files / "traces" / "trace.json").read_bytes())["traceEvents"]
    return [event for event in events if event["ph"] in "Xb" and event["cat"] != "Trace"]


def test_perfetto_reads_both_formats_whole_and_as_the_same_slices(prof, files):
    asked = (FAULTS, SLICES, MEMORY, "select count(*) from flow", "select name from thread where name like '%helper%'",
             "select count(*), sum(thread_dur) > 0 from slice where thread_dur <= dur + 1000")
    of_json, of_protobuf = (programs.perfetto(files / name, *asked) for name in ("traces/trace.json", "run.pftrace"))
    assert of_json[0] == of_protobuf[0] == []
    assert of_json[1] == of_protobuf[1] and len(of_json[1]) == len(shown(files))
    assert "漢字" in [name for name, *_ in of_protobuf[1]]
    memory = prof.profiler._recordings.table().memory
    assert of_json[2] == of_protobuf[2] == [(memory.n_rows, memory["total"].max())]
    assert of_json[3] == of_protobuf[3] != [(0,)]
    assert len(of_json[4]) == len(of_protobuf[4]) == STEPS
    assert of_json[5][0][0] > 0 and of_protobuf[5][0][0] > 0 and of_json[5][0][1] == of_protobuf[5][0][1] == 1


def test_only_ranges_that_overlap_leave_their_thread_in_perfetto(files):
    (tracks,) = programs.perfetto(files / "traces" / "trace.json", "select distinct slice.name, track.type from slice "
                                  "join track on slice.track_id = track.id where track.type like '%async%'")
    assert tracks and {name for name, _ in tracks} <= {f"task {number}" for number in range(TASKS)}
    assert {kind for _, kind in tracks} == {"legacy_async_process_slice"}


def test_holistic_trace_analysis_loses_nothing_and_builds_its_call_graph(files):
    read = programs.python("hta", READ_BY_HTA, str(files / "traces"), HTA_DISABLE_NS_ROUNDING="1")
    assert read["ranks"] == [0] and read["rows"] == len(shown(files))
    assert read["stacks"] >= 2 and read["caller"] == "aten::linear"


def test_tensorboard_s_plugin_counts_loading_and_follows_links(files, tmp_path):
    read = programs.python("torch_tb_profiler", READ_BY_TENSORBOARD, str(files / "tensorboard.json"), str(tmp_path))
    assert read["steps"] == ["1", "2", "3"] and read["loading"] > 0 and read["links"] > 0
    assert read["stacks"] > 0 and read["modules"]


def test_speedscope_opens_its_own_format_and_merges_frames(browser, files, tmp_path):
    lines, complaints = programs.speedscope(browser, files / "run.speedscope.json", tmp_path)
    assert complaints == []
    assert lines.count("\t漢字") == 1 and lines.count("\taten::addmm") <= 1


def test_speedscope_opens_a_trace(browser, files, tmp_path):
    """It takes frames with the same name that end together, as all do that have not ended, for one another and says so:
    its own format has no such warnings."""
    lines, complaints = programs.speedscope(browser, files / "traces" / "trace.json", tmp_path)
    assert any(line.startswith("\t漢字") for line in lines)
    assert [words for words in complaints if "Tried to end" not in words and "was still open" not in words] == []


def test_flamegraph_draws_ops_and_ranges(files):
    picture = programs.flamegraph(files / "stacks.txt")
    assert all(name in picture for name in ("漢字", "aten::addmm", "AddmmBackward0"))
