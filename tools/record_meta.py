"""Record which samples PyTorch 2.13.0 refuses on the meta device; writes tests/mindtorch_v2/data/ops."""

from __future__ import annotations

import importlib

import torch
from record_oracle import OUT, ROOT, observe, write


def main() -> None:
    refused = {}
    for path in sorted((ROOT / "tests/mindtorch_v2/ops/samples").glob("*/[a-z]*.py")):
        table = importlib.import_module(f"samples.{path.parent.name}.{path.stem}").SAMPLES
        for op, rows in table.items():
            for i, sample in enumerate(rows):
                answer = observe.attempt(observe.on_meta, torch, sample)
                if "error" in answer:
                    refused[f"{op}-{i}"] = answer["error"].split("\n")[0][:200]
    write(OUT / "_meta_refused.json.gz", refused)
    print(f"{len(refused)} samples are refused")


if __name__ == "__main__":
    main()
