"""Chrome traces read as profiles: PyTorch's own, ours, and files that are none."""

from __future__ import annotations

import gzip
import json
import pathlib
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mindtorch_v2 as torch
from mindtorch_v2.profiler import combine, load, profile

DATA = pathlib.Path(__file__).parents[1] / "data" / "traces"
json_values = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                           lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


def test_a_trace_of_torch_has_the_rows_that_torch_counts():
    counts = json.loads((DATA / "torch_counts.json").read_text())
    averages = {row.key: row.count for row in load(DATA / "torch_trace.json.gz").key_averages()}
    assert {name: averages.get(name) for name in counts} == counts


def test_a_trace_says_when_it_was_taken(tmp_path):
    with profile() as prof:
        torch.ones(2)
    prof.export_chrome_trace(tmp_path / "trace.json")
    live, read = (each._table("reading it").window for each in (prof, load(tmp_path / "trace.json")))
    assert abs(live.start_ns + live.wall_offset_ns - read.start_ns - read.wall_offset_ns) < 10**9


def test_steps_memory_and_shapes_of_a_torch_trace_are_there():
    prof = load(DATA / "torch_trace.json.gz")
    digest = prof.digest()
    assert len(digest.steps) == 2
    assert digest.peak.total_bytes > 0
    assert ("aten::addmm", "[[16], [4, 8], [8, 16]]") in {(row.name, row.shapes) for row in digest.ops(by_shapes=True)}


def test_a_trace_of_torch_can_be_saved_and_read_again(tmp_path):
    """Its lists of tensors have no types, and older traces no strides."""
    prof = load(DATA / "torch_trace.json.gz")
    prof.save(tmp_path / "saved.mtprof")
    shapes, read = ([(row.name, row.shapes) for row in each.digest().ops(by_shapes=True)]
                    for each in (prof, load(tmp_path / "saved.mtprof")))
    assert read == shapes


def test_going_forward_is_known_on_each_thread_also_beside_other_profiles(tmp_path):
    def train():
        torch.nn.Linear(3, 2)(torch.ones(4, 3)).sum().backward()

    with profile() as prof:
        thread = threading.Thread(target=train)
        thread.start()
        thread.join()
        train()
    prof.export_chrome_trace(tmp_path / "trace.json")
    for read in (load(tmp_path / "trace.json"), combine([prof, load(tmp_path / "trace.json")])):
        table, rows = read.digest().table, read.digest().kinds.forward_of
        back = [row for row in range(len(rows)) if rows[row] >= 0]
        assert {table.names[table["name"][rows[row]]][0] for row in back} >= {"aten::addmm", "aten::sum"}
        assert all(table["thread"][rows[row]] == table["forward_thread"][row] for row in back)
        assert len({table["thread"][row] for row in back}) == len(table.threads)


def test_our_own_trace_gives_back_counts_and_times(tmp_path):
    with profile(record_shapes=True) as prof:
        torch.nn.Linear(3, 2)(torch.ones(4, 3)).sum().backward()
    prof.export_chrome_trace(tmp_path / "trace.json")
    read = {row.key: row for row in load(tmp_path / "trace.json").key_averages()}
    for row in prof.key_averages():
        assert read[row.key].count == row.count
        assert read[row.key].cpu_time_total == pytest.approx(row.cpu_time_total, abs=0.1)


@pytest.mark.parametrize("content", [b"{", b"[1, 2", b"{}", b'{"traceEvents": 3}', b'{"traceEvents": []}',
                                     b"\x1f\x8b\x08broken", b"[" * 100_000,
                                     *(b'[{"ph": "X", "cat": "cpu_op", "name": "aten::add", %s}]' % times for times in (
                                         b'"dur": 2', b'"ts": "soon", "dur": 2', b'"ts": NaN, "dur": 2',
                                         b'"ts": 1e300, "dur": 2', b'"ts": 1, "dur": -2', b'"ts": 1, "dur": true'))])
def test_what_is_no_trace_is_refused(tmp_path, content):
    path = tmp_path / "trace.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="trace"):
        load(path)


@given(st.lists(st.dictionaries(st.sampled_from("ph cat name pid tid args".split()), json_values)))
def test_any_json_around_events_with_times_is_read(tmp_path_factory, events):
    path = tmp_path_factory.mktemp("traces") / "trace.json.gz"
    valid = {"ph": "X", "cat": "cpu_op", "name": "aten::add", "ts": 1.5, "dur": 2}
    trace = {"traceEvents": [valid, *[{**valid, **event} for event in events]]}
    path.write_bytes(gzip.compress(json.dumps(trace).encode()))
    prof = load(path)
    prof.key_averages().table()
    assert prof.digest().steps
