"""Record a Chrome trace of PyTorch's and what it says of the same profile: run with torch 2.13.0."""

from __future__ import annotations

import gzip
import json
import pathlib
import tempfile

import torch
from torch.profiler import profile

OUT = pathlib.Path(__file__).resolve().parent.parent / "tests" / "mindtorch_v2" / "data" / "traces"


def trained() -> profile:
    """Two steps of a small model."""
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with profile(record_shapes=True, profile_memory=True, with_stack=True) as prof:
        for _ in range(2):
            with torch.profiler.record_function("training"):
                model(torch.randn(4, 8)).sum().backward()
            optimizer.step()
            prof.step()
    return prof


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    prof = trained()
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.json"
        prof.export_chrome_trace(str(path))
        (OUT / "torch_trace.json.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    counts = {row.key: row.count for row in prof.key_averages() if row.key.startswith(("aten::", "autograd::"))}
    (OUT / "torch_counts.json").write_text(json.dumps(counts, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
