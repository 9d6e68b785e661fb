"""Tables print byte for byte as torch prints them for the same numbers."""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

import pytest

from mindtorch_v2.autograd.profiler_util import EventList, FunctionEventAvg
from mindtorch_v2.profiler.views.formatting import format_memory, format_time, format_time_share

HERE = Path(__file__).parent
CASES = runpy.run_path(str(HERE / "table_cases.py"))["ALL"]
FACTS = json.loads(gzip.decompress((HERE.parent / "data" / "profiler_tables.json.gz").read_bytes()))


def averages(rows: list[dict]) -> list[FunctionEventAvg]:
    made = []
    for fields in rows:
        average = FunctionEventAvg()
        vars(average).update(fields)
        made.append(average)
    return made


@pytest.mark.parametrize("name", CASES)
def test_table_is_what_torch_prints(name):
    rows, options, arguments = CASES[name]
    printed = EventList(averages(rows), **options)
    expected = FACTS["tables"][name]
    if expected.startswith("AttributeError"):
        with pytest.raises(AttributeError, match=expected.partition(": ")[2]):
            printed.table(**arguments)
    else:
        assert printed.table(**arguments) == expected


def test_every_recorded_table_is_compared():
    assert set(CASES) == set(FACTS["tables"])


def test_printing_a_table_leaves_the_rows_as_they_were():
    rows, options, arguments = CASES["all"]
    events = EventList(averages(rows), **options)
    before = [dict(vars(e)) for e in events]
    events.table(sort_by="count", **arguments)
    assert [vars(e) for e in events] == before


def test_source_and_flops_stand_under_their_own_headers():
    """torch prints the paths under "Total KFLOPs" here; see docs/DIFFERENCES.md."""
    rows = [{"key": "aten::mm", "count": 1, "node_id": -1, "input_shapes": "", "overload_name": "", "flops": 2000,
             "stack": ["a.py(1): forward"]}]
    header, _, line = EventList(averages(rows), with_flops=True).table().splitlines()[1:4]
    assert line.index("a.py(1): forward") == header.index("Source Location")
    assert line.rstrip().endswith("2.000") and header.rstrip().endswith("Total KFLOPs")


@pytest.mark.parametrize(("time_us", "text", "share"), FACTS["times"])
def test_times_and_shares(time_us, text, share):
    assert (format_time(time_us), format_time_share(time_us, 3000)) == (text, share)


@pytest.mark.parametrize(("nbytes", "text"), FACTS["sizes"])
def test_sizes(nbytes, text):
    assert format_memory(nbytes) == text


def test_a_share_of_nothing():
    assert format_time_share(0, 0) == "NaN"
    with pytest.raises(AssertionError, match="Expected time_us == 0 but got 3"):
        format_time_share(3, 0)
