"""Execution traces: torch's format, held against recorded ones, and facts 69 to 71."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections import Counter
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import profiler
from mindtorch_v2.profiler import ExecutionTraceObserver, profile, record_function, schedule

from .execution_programs import PROGRAMS, shown

FACTS = json.loads(gzip.decompress(
    (Path(__file__).parents[1] / "data" / "execution_traces.json.gz").read_bytes()))["traces"]
PROCESS, THREAD = "[pytorch|profiler|execution_trace|process]", "[pytorch|profiler|execution_trace|thread]"


def read(path) -> dict:
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rt") as file:
        return json.load(file)


def names(path) -> list[str]:
    return [node["name"] for node in read(path)["nodes"]]


def attrs(node: dict) -> dict:
    return {attr["name"]: attr["value"] for attr in node["attrs"]}


@pytest.fixture
def observer(tmp_path):
    return ExecutionTraceObserver().register_callback(str(tmp_path / "trace.json"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_s_trace_is_torch_s(program, observer):
    observer.start()
    PROGRAMS[program](torch, profiler)
    observer.stop()
    observer.unregister_callback()
    ours, theirs = shown(read(observer.get_output_file_path())), FACTS[program]
    assert [node["name"] for node in ours] == [node["name"] for node in theirs]
    for mine, other in zip(ours, theirs, strict=True):
        assert mine == other


def test_a_list_of_results_is_one_output(observer):
    x = torch.ones(2)
    observer.start()
    torch.broadcast_tensors(x, x)
    observer.stop()
    observer.unregister_callback()
    node = next(n for n in read(observer.get_output_file_path())["nodes"] if n["name"] == "aten::broadcast_tensors")
    assert node["outputs"]["types"] == ["GenericList[Tensor(float),Tensor(float)]"]
    assert node["outputs"]["shapes"] == [[[2], [2]]]


def test_fact_69_a_trace_without_a_start_holds_the_process(observer):
    observer.unregister_callback()
    trace = read(observer.get_output_file_path())
    assert trace["schema"] == "1.1.1-chakra.0.0.4" and trace["pid"] == os.getpid()
    assert [(node["id"], node["name"], node["ctrl_deps"]) for node in trace["nodes"]] == [(1, PROCESS, 1)]


def test_fact_69_a_name_in_gz_compresses_and_tensors_have_six_fields(tmp_path):
    observer = ExecutionTraceObserver().register_callback(str(tmp_path / "trace.json.gz"))
    observer.start()
    torch.ones(2, 3)
    observer.cleanup()
    ones = next(node for node in read(tmp_path / "trace.json.gz")["nodes"] if node["name"] == "aten::ones")
    (tensor,) = ones["outputs"]["values"]
    assert len(tensor) == 6 and tensor[2:] == [0, 6, 4, "cpu"]


def test_only_what_runs_between_start_and_stop_is_observed(observer):
    assert observer.is_registered and not observer.is_running()
    torch.zeros(1)
    for op in (torch.ones, torch.rand):
        observer.start()
        observer.start()
        assert observer.is_running()
        op(1)
        observer.stop()
        torch.zeros(1)
    observer.unregister_callback()
    found = names(observer.get_output_file_path())
    assert found.count("aten::ones") == found.count("aten::rand") == 1 and "aten::zeros" not in found
    assert found[0] == THREAD and found[-1] == PROCESS and found.count(THREAD) == 1
    assert not observer.is_registered


def test_an_observer_without_a_file_does_nothing():
    observer = ExecutionTraceObserver()
    observer.start()
    torch.ones(1)
    observer.stop()
    observer.cleanup()
    assert not observer.is_running() and observer.get_output_file_path() is None


def test_a_second_file_is_not_taken(observer, tmp_path):
    assert observer.register_callback(str(tmp_path / "other.json")) is observer
    assert observer.get_output_file_path().endswith("trace.json")


def test_a_folder_that_is_not_there_is_refused_at_once(tmp_path):
    with pytest.raises(FileNotFoundError):
        ExecutionTraceObserver().register_callback(str(tmp_path / "missing" / "trace.json"))


def test_two_observers_each_write_their_own(tmp_path):
    """torch dies here."""
    first, second = (ExecutionTraceObserver().register_callback(str(tmp_path / f"{n}.json")) for n in (1, 2))
    first.start()
    torch.ones(1)
    second.start()
    torch.zeros(1)
    second.cleanup()
    torch.eye(1)
    first.cleanup()
    assert {"aten::ones", "aten::zeros", "aten::eye"} <= set(names(tmp_path / "1.json"))
    assert "aten::zeros" in names(tmp_path / "2.json") and "aten::ones" not in names(tmp_path / "2.json")
    assert next(n for n in read(tmp_path / "1.json")["nodes"] if n["name"] == "aten::eye")["outputs"]["values"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_leaves_the_file_to_its_parent(observer):
    observer.start()
    torch.ones(1)
    child = os.fork()
    if child == 0:
        observer.cleanup()
        os._exit(os.path.exists(observer.get_output_file_path()))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    torch.rand(1)
    observer.cleanup()
    assert {"aten::ones", "aten::rand"} <= set(names(observer.get_output_file_path()))


def test_every_thread_has_a_node_of_its_own(observer):
    observer.start()
    torch.ones(1)
    worker = threading.Thread(target=lambda: torch.zeros(1))
    worker.start()
    worker.join()
    observer.cleanup()
    nodes = read(observer.get_output_file_path())["nodes"]
    threads = {attrs(node)["tid"]: node["id"] for node in nodes if node["name"] == THREAD}
    zeros = next(node for node in nodes if node["name"] == "aten::zeros")
    assert len(threads) == 2 and zeros["ctrl_deps"] == threads[attrs(zeros)["tid"]]


def test_any_name_gives_a_valid_trace(observer):
    """torch writes the name as it is."""
    observer.start()
    with record_function('quote " newline \n back \\ \x00 \ud800'):
        pass
    observer.cleanup()
    assert len(names(observer.get_output_file_path())) == 3


@pytest.mark.parametrize("number", [1e-07, 0.1, 1 / 3, 1e300])
def test_numbers_are_exact(observer, number):
    """torch writes six decimals."""
    observer.start()
    torch.ones(1, dtype=torch.float64).add(1, alpha=number)
    observer.unregister_callback()
    (add,) = [node for node in read(observer.get_output_file_path())["nodes"] if node["name"] == "aten::add"]
    assert add["inputs"]["values"][2] == number


def test_fact_70_record_ids_are_those_of_the_profile(observer, tmp_path):
    with profile(execution_trace_observer=observer) as prof:
        with record_function("range"):
            (torch.ones(2, requires_grad=True) * 2).sum().backward()
    assert not observer.is_registered
    prof.export_chrome_trace(tmp_path / "profile.json")
    calls = [e for e in read(tmp_path / "profile.json")["traceEvents"] if e.get("cat") in ("cpu_op", "user_annotation")]
    in_profile = Counter((e["name"], e["args"]["Record function id"]) for e in calls)
    nodes = read(observer.get_output_file_path())["nodes"]
    in_trace = Counter((n["name"], attrs(n)["rf_id"]) for n in nodes if n["name"] not in (PROCESS, THREAD))
    assert in_profile == in_trace and 0 not in {number for _, number in in_profile}
    assert max(in_profile.values()) == 1


def test_fact_70_without_an_observer_record_ids_are_0(tmp_path):
    with profile() as prof:
        torch.ones(1)
    prof.export_chrome_trace(tmp_path / "profile.json")
    calls = [e for e in read(tmp_path / "profile.json")["traceEvents"] if e.get("cat") == "cpu_op"]
    assert {e["args"]["Record function id"] for e in calls} == {0}


def test_an_observer_follows_the_schedule_of_its_profile(observer):
    with profile(execution_trace_observer=observer, schedule=schedule(wait=1, warmup=1, active=1, repeat=2),
                 acc_events=True) as prof:
        for step in range(7):
            torch.full((1,), float(step))
            prof.step()
    nodes = read(observer.get_output_file_path())["nodes"]
    assert [n["inputs"]["values"][1] for n in nodes if n["name"] == "aten::full"] == [2.0, 5.0]


def test_fact_71_the_environment_asks_for_a_trace(monkeypatch):
    monkeypatch.delenv("ENABLE_PYTORCH_EXECUTION_TRACE", raising=False)
    assert profile().execution_trace_observer is None
    monkeypatch.setenv("ENABLE_PYTORCH_EXECUTION_TRACE", "1")
    with profile() as prof:
        torch.ones(1)
    path = prof.execution_trace_observer.get_output_file_path()
    assert "aten::ones" in names(path) and prof.execution_trace_observer.get_resources_dir() is None
    os.unlink(path)


def test_fact_71_the_environment_asks_for_a_folder_beside_it(monkeypatch):
    monkeypatch.setenv("ENABLE_PYTORCH_EXECUTION_TRACE", "1")
    monkeypatch.setenv("ENABLE_PYTORCH_EXECUTION_TRACE_EXTRAS", "1")
    observer = ExecutionTraceObserver.build_execution_trace_obs_from_env()
    folder = observer.get_resources_dir()
    assert folder == observer.get_output_file_path().removesuffix(".json") + "_resources" and os.path.isdir(folder)
    observer.cleanup()
    os.rmdir(folder)
    os.unlink(observer.get_output_file_path())


def test_a_folder_that_is_wished_for_first_is_made_when_the_file_is_named(tmp_path, monkeypatch):
    """torch makes one at once, named ``_resources``, wherever the program happens to be."""
    monkeypatch.chdir(tmp_path)
    observer = ExecutionTraceObserver()
    observer.set_extra_resource_collection(True)
    assert list(tmp_path.iterdir()) == []
    observer.register_callback("trace.json")
    assert [path.name for path in tmp_path.iterdir()] == ["trace_resources"]
    assert observer.get_resources_dir() == "trace_resources"
    observer.cleanup()


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    assert ExecutionTraceObserver.get_resources_dir_for_et_path(str(tmp_path / "t.json")) is None
    with pytest.warns(UserWarning, match="Execution trace exception when creating"):
        assert ExecutionTraceObserver.get_resources_dir_for_et_path(str(tmp_path / "no" / "t.json"), True) is None


def test_a_range_s_values_are_a_call_s_inputs(observer):
    x = torch.ones(2)
    observer.start()
    handle = torch.autograd._record_function_with_args_enter("mine", 1, 2.5, [x, x], (x,), "text", float("inf"))
    torch.autograd._record_function_with_args_exit(handle)
    observer.stop()
    observer.unregister_callback()
    given = next(n for n in read(observer.get_output_file_path())["nodes"] if n["name"] == "mine")["inputs"]
    number, decimal, tensors, one, *rest = given["values"]
    assert (number, decimal, rest) == (1, 2.5, ["text", "inf"])
    assert tensors[0] == tensors[1] == one[0] and tensors[0][2:] == [0, 2, 4, "cpu"]
    assert given["types"] == ["Int", "Double", "GenericList[Tensor(float),Tensor(float)]", "Tuple[Tensor(float)]",
                              "String", "Double"]
