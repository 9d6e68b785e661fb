"""Record what torch's profiling tools say of hand-made events; run with a Python that has torch."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import torch
from torch.autograd import DeviceType
from torch.profiler import _memory_profiler, _trace_validator, _utils

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
TOOLS = SimpleNamespace(utils=_utils, memory=_memory_profiler, validator=_trace_validator, DeviceType=DeviceType,
                        cpu=torch.device("cpu"))


def main() -> None:
    cases = runpy.run_path(TESTS / "profiler" / "tool_cases.py")["CASES"]
    recorded = {name: case(TOOLS) for name, case in cases.items()}
    (TESTS / "data" / "profiler_tools.json").write_text(json.dumps(recorded, indent=1) + "\n")


if __name__ == "__main__":
    main()
