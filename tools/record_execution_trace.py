"""Record torch's execution traces of a few programs; run with a Python that has torch."""

from __future__ import annotations

import gzip
import json
import runpy
import tempfile
from pathlib import Path

import torch
from torch.profiler import ExecutionTraceObserver

TESTS = Path(__file__).parents[1] / "tests" / "mindtorch_v2"
DATA = TESTS / "data" / "execution_traces.json.gz"


def main() -> None:
    torch.set_num_threads(1)
    programs = runpy.run_path(str(TESTS / "profiler" / "execution_programs.py"))
    facts = {"torch": torch.__version__.partition("+")[0], "traces": {}}
    for name, program in programs["PROGRAMS"].items():
        with tempfile.TemporaryDirectory() as folder:
            observer = ExecutionTraceObserver().register_callback(folder + "/trace.json")
            observer.start()
            program(torch, torch.profiler)
            observer.stop()
            observer.unregister_callback()
            facts["traces"][name] = programs["shown"](json.loads(Path(folder, "trace.json").read_text()))
    # mtime=0: the same facts give the same bytes.
    DATA.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), 9, mtime=0))
    print(f"{DATA.name}: {DATA.stat().st_size} bytes")


if __name__ == "__main__":
    main()
