"""Ask PyTorch what it prints of events with work on a device, and how a device of the program's own gets its name.

The answers go to tests/mindtorch_v2/data/device_tables.json.gz and device_names.json.gz; what is asked stands in
tests/mindtorch_v2/profiler/device_tables.py and device_names.py. Run with a Python that has torch.
"""

from __future__ import annotations

import gzip
import json
import runpy
from pathlib import Path

from torch.autograd import DeviceType, profiler_util

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"


def cases(name: str) -> dict:
    return runpy.run_path(str(TESTS / "profiler" / f"{name}.py"))


def write(name: str, answers: dict | list) -> None:
    path = TESTS / "data" / f"{name}.json.gz"
    # mtime=0: the same answers give the same bytes.
    path.write_bytes(gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{path.name}: {len(answers)} answers, {path.stat().st_size} bytes")


def main() -> None:
    write("device_tables", cases("device_tables")["answers"](profiler_util, DeviceType))
    write("device_names", cases("device_names")["outcomes"]("torch"))  # last: the name stays


if __name__ == "__main__":
    main()
