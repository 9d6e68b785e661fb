"""Work on devices is counted and printed as PyTorch does for the same events; recorded in device_tables.json.gz."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from mindtorch_v2.autograd import DeviceType, profiler_util

from . import device_tables

RECORDED = json.loads(gzip.decompress((Path(__file__).parents[1] / "data" / "device_tables.json.gz").read_bytes()))
ANSWERS = json.loads(json.dumps(device_tables.answers(profiler_util, DeviceType)))


@pytest.mark.parametrize("asked", RECORDED)
def test_events_with_work_on_a_device_answer_as_torchs(asked):
    assert ANSWERS[asked] == RECORDED[asked]


def test_everything_that_was_recorded_is_asked():
    assert ANSWERS.keys() == RECORDED.keys()


def test_kernels_of_a_call_that_repeats_its_caller_are_added_to_the_callers():
    """torch replaces the caller's own kernels by them; see docs/DIFFERENCES.md."""
    outer, inner = (profiler_util.FunctionEvent(n, "range", 1, n, 10 - n, use_device="npu") for n in (1, 2))
    outer.append_kernel("a", 0, 3.0)
    inner.append_kernel("b", 0, 4.0)
    listed = profiler_util.EventList([outer, inner], use_device="npu")
    listed._build_tree()
    assert [kernel.name for kernel in listed[0].kernels] == ["a", "b"] and listed[0].device_time_total == 7.0
