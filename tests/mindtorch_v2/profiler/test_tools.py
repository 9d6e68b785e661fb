"""torch's profiling tools on hand-made events: ours say what torch's say."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import DeviceType, _memory_profiler, _trace_validator, _utils, profile

from .tool_cases import CASES, Raw, evaluated, event

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "profiler_tools.json").read_text())
TOOLS = SimpleNamespace(utils=_utils, memory=_memory_profiler, validator=_trace_validator, DeviceType=DeviceType,
                        cpu=torch.device("cpu"))


@pytest.mark.parametrize("case", CASES)
def test_same_answers_as_torch(case):
    assert json.loads(json.dumps(CASES[case](TOOLS))) == RECORDED[case]


def test_events_that_idle_alike_are_ranked_by_their_own_time():
    """torch divides by a spread of zero here and leaves them unranked."""
    raw = [Raw("cudaLaunchKernel", 10 + i, 1, i, DeviceType.CPU) for i in range(5)]
    raw += [Raw("GPU", 100 + 10 * i, 10, i, DeviceType.CUDA) for i in range(5)]
    tree = [event("short", 100, 5), event("long", 106, 30)]
    assert evaluated(TOOLS, tree, raw, 2)[2] == ["long", "short"]


def test_a_trace_of_ours_keeps_all_rules(tmp_path):
    weight = torch.ones(3, requires_grad=True)
    with profile() as prof:
        (weight * 2).sum().backward()
    prof.export_chrome_trace(tmp_path / "trace.json.gz")
    assert _trace_validator.validate_trace(tmp_path / "trace.json.gz") == (True, [])


def test_a_broken_trace_is_found_in_a_compressed_file(tmp_path):
    path = tmp_path / "trace.json.gz"
    path.write_bytes(gzip.compress(b'[{"ph": "X", "name": "record_param_comms", "ts": 1}]'))
    valid, found = _trace_validator.validate_trace(path)
    assert not valid and [v.rule_name for v in found] == ["_check_nccl_metadata"]
