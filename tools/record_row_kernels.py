"""Records what PyTorch computes where our kernels of bags do (needs torch)."""
from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import torch
from record_kernels import Fact, drawn, empty, written

OUT = Path(__file__).parent.parent / "tests/mindtorch_v2/data/kernels_rows.json.gz"
aten = torch.ops.aten


def embedding_bag() -> Iterator[Fact]:
    for dtype in (torch.float32, torch.float64):
        table, index, offsets = drawn(4, 3).to(dtype), torch.tensor([1, 2, 3, 2, 0]), torch.tensor([0, 2, 2])
        bags, scales = torch.tensor([0, 0, 2, 2, 2]), drawn(5).to(dtype)
        for weights in (None, scales):
            sums = aten._embedding_bag(table, index, offsets, False, 0, False, weights)[0]
            yield "add_rows_to_bags", [empty(sums), table, index, bags, weights], {0: sums}
        largest, _, _, where = aten._embedding_bag(table, index, offsets, False, 2)
        yield "largest_of_bags", [empty(largest), empty(where), table, index, index, bags], {0: largest, 1: where}


def main() -> None:
    torch.manual_seed(2025)
    facts = {subject.__name__: [
        {"name": name, "args": [written(a) for a in args], "after": {k: written(t) for k, t in after.items()}}
        for name, args, after in subject()] for subject in (embedding_bag,)}
    OUT.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), mtime=0))
    print(OUT.stat().st_size, "bytes;", {k: len(v) for k, v in facts.items()})


if __name__ == "__main__":
    main()
