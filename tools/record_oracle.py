"""Record what PyTorch answers to every sample: run with torch 2.13.0, writes tests/mindtorch_v2/data/ops."""

from __future__ import annotations

import gzip
import importlib
import json
import pathlib
import sys

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "mindtorch_v2" / "ops"), str(ROOT / "src")]

import observe  # noqa: E402

OUT = ROOT / "tests" / "mindtorch_v2" / "data" / "ops"


def record(sample) -> dict:
    return {"value": observe.attempt(observe.value_of, torch, sample),
            "profile": observe.attempt(observe.profile_of, torch, sample),
            "gradients": observe.attempt(observe.gradients_of, torch, sample),
            "second_gradients": observe.attempt(observe.second_gradients_of, torch, sample)}


def schemas() -> dict[str, str]:
    """PyTorch's own sentence for every op of our table."""
    from mindtorch_v2 import ops  # noqa: F401  declares the ops
    from mindtorch_v2.opdef.table import OPS
    found = {}
    for name, overloads in OPS.items():
        for op in overloads:
            packet = getattr(torch.ops.aten, name, None)
            overload = getattr(packet, op.overload or "default", None) if packet is not None else None
            found[f"{name}.{op.overload}" if op.overload else name] = str(overload._schema) if overload else None
    return found


def main() -> None:
    assert torch.__version__.startswith("2.13.0"), f"the oracle is torch 2.13.0, not {torch.__version__}"
    torch.set_num_threads(1)
    only = sys.argv[1:]
    for path in sorted((ROOT / "tests/mindtorch_v2/ops/samples").glob("*/[a-z]*.py")):
        if only and path.stem not in only:
            continue
        folder = path.parent.name
        table = importlib.import_module(f"samples.{folder}.{path.stem}").SAMPLES
        answers = {op: [record(sample) for sample in rows] for op, rows in table.items()}
        write(OUT / folder / f"{path.stem}.json.gz", answers)
        print(f"{path.stem:24} {sum(map(len, table.values())):4} samples")
    write(OUT / "_schemas.json.gz", schemas())


def write(path: pathlib.Path, content) -> None:
    text = json.dumps(content, separators=(",", ":"), sort_keys=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
