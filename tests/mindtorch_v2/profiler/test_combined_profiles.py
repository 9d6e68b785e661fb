"""Profiles of several processes as one: on one clock, each process and thread for itself."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import combine, load, profile

from .saved_answers import answers, timeline, tree

PROGRAM = """
import sys, threading
import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile, record_function

model = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters())
with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
    with record_function(sys.argv[2]):
        model(torch.ones(2, 4)).sum().backward()
        optimizer.step()
    worker = threading.Thread(target=lambda: torch.ones(3))
    worker.start()
    worker.join()
prof.add_metadata(sys.argv[2], "was here")
prof.save(sys.argv[1])
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> list[Path]:
    """Profiles of two processes."""
    folder = tmp_path_factory.mktemp("ranks")
    paths = [folder / f"{rank}.mtprof" for rank in range(2)]
    for rank, path in enumerate(paths):
        subprocess.run([sys.executable, "-c", PROGRAM, str(path), f"rank {rank}"], check=True)
    return paths


@pytest.fixture
def parts(files) -> list:
    return [load(path) for path in files]


def changed(path: Path, target: Path, change) -> Path:
    """The same file with other facts."""
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as out:
        for name in source.namelist():
            data = source.read(name)
            if name == "profile.json":
                facts = json.loads(data)
                change(facts)
                data = json.dumps(facts).encode()
            out.writestr(name, data)
    return target


def on_another_machine(path: Path, target: Path) -> Path:
    return changed(path, target, lambda facts: facts.update(host_name="another machine"))


def trace(prof, folder: Path) -> dict:
    prof.export_chrome_trace(str(folder / "trace.json"))
    return json.loads((folder / "trace.json").read_text())


def by_the_wall(prof) -> Counter:
    return Counter((event.name(), event.start_ns(), event.end_ns()) for event in prof.profiler.kineto_results.events())


def test_every_event_keeps_its_time_by_the_clock_of_the_world(parts):
    assert by_the_wall(combine(parts)) == by_the_wall(parts[0]) + by_the_wall(parts[1])


def test_clocks_that_began_at_different_times_are_brought_together(files, parts, tmp_path):
    def later(facts: dict) -> None:
        facts["window"]["wall_offset_ns"] -= 10**9
        for name in ("start_ns", "end_ns"):
            facts["window"][name] += 10**9
        facts["bases"]["events"]["start_ns"] += 10**9
        facts["bases"]["memory"]["time_ns"] += 10**9

    skewed = load(changed(files[1], tmp_path / "skewed.mtprof", later))
    assert answers(combine([parts[0], skewed]), tmp_path) == answers(combine(parts), tmp_path)


def test_processes_and_threads_stay_apart_in_the_trace(parts, tmp_path):
    whole = trace(combine(parts), tmp_path)["traceEvents"]
    for part in parts:
        alone = trace(part, tmp_path)["traceEvents"]
        pid = next(event["pid"] for event in alone if event["ph"] == "X")
        said = [Counter((event["ph"], event["name"], event.get("cat"), event["tid"]) for event in events
                        if event["pid"] == pid) for events in (alone, whole)]
        assert said[0] == said[1] and len({tid for *_, tid in said[1]}) > 2
    assert len({event["pid"] for event in whole if event["ph"] == "X" and event["cat"] != "Trace"}) == 2


def test_processes_of_two_machines_with_one_number_get_two(files, tmp_path):
    other = on_another_machine(files[0], tmp_path / "other.mtprof")
    whole = trace(combine([load(files[0]), load(other)]), tmp_path)
    pids = Counter(event["pid"] for event in whole["traceEvents"] if event.get("cat") == "cpu_op")
    assert len(pids) == 2 and len(set(pids.values())) == 1
    assert whole["host_name"].endswith(", another machine")


def test_arrows_lead_to_nodes_of_the_same_process(files, tmp_path):
    other = on_another_machine(files[0], tmp_path / "other.mtprof")
    alone = [e for e in trace(load(files[0]), tmp_path)["traceEvents"] if e.get("cat") == "fwdbwd"]
    arrows = [e for e in trace(combine([load(files[0]), load(other)]), tmp_path)["traceEvents"]
              if e.get("cat") == "fwdbwd"]
    assert len(arrows) == 2 * len(alone) > 0
    assert all(count == 2 for count in Counter((e["id"], e["pid"]) for e in arrows).values())


def test_equal_addresses_of_two_processes_are_two_pieces_of_memory(files, tmp_path):
    other = on_another_machine(files[0], tmp_path / "other.mtprof")
    alone, both = (json.loads(timeline(prof, tmp_path / "timeline.json"))
                   for prof in (load(files[0]), combine([load(files[0]), load(other)])))
    assert both[0] == alone[0]
    assert both[1] == [[2 * size for size in sizes] for sizes in alone[1]]


def test_modules_optimizers_and_sums_are_those_of_all(parts):
    whole = combine(parts)
    for kind in ("_NNModuleInfo(", "_OptimizerInfo("):
        counts = [sum(kind in node[-1] for node in tree(prof.profiler.kineto_results)) for prof in (whole, *parts)]
        assert counts[0] == counts[1] + counts[2] > 0
    sums = [{row.key: (row.count, row.self_cpu_time_total, row.self_cpu_memory_usage) for row in prof.key_averages()
             if row.key in ("aten::addmm", "aten::ones")} for prof in (whole, *parts)]
    for key, (count, time_us, n_bytes) in sums[0].items():
        (count_0, time_0, bytes_0), (count_1, time_1, bytes_1) = sums[1][key], sums[2][key]
        assert (count, n_bytes) == (count_0 + count_1, bytes_0 + bytes_1)
        assert time_us == pytest.approx(time_0 + time_1)


def test_a_combined_profile_can_be_saved_and_combined_again(parts, tmp_path):
    whole = combine(parts)
    whole.save(tmp_path / "whole.mtprof")
    loaded = load(tmp_path / "whole.mtprof")
    assert answers(loaded, tmp_path) == answers(whole, tmp_path)
    with profile() as prof:
        torch.ones(2)
    assert len(combine([loaded, prof]).events()) == len(whole.events()) + len(prof.events())


def test_metadata_and_counts_of_all_are_there(parts, tmp_path):
    whole = combine(parts)
    assert {"rank 0", "rank 1"} <= trace(whole, tmp_path).keys()
    assert whole.overhead().events == sum(part.overhead().events for part in parts)
    assert whole.overhead().total_ns == pytest.approx(sum(part.overhead().total_ns for part in parts))


def test_what_cannot_be_combined_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="at least one profile"):
        combine([])
    with pytest.raises(TypeError, match="wants profiles, but got str"):
        combine(["a.mtprof"])
    with profile() as prof, pytest.raises(RuntimeError, match=r"call stop\(\) first"):
        combine([prof])
