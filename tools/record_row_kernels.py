"""Records what PyTorch computes where our kernels of bags and of alignments do (needs torch)."""
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


def ctc() -> Iterator[Fact]:
    targets, steps, lengths = torch.tensor([[1, 2, 2], [3, 2, 1]]), torch.tensor([6, 6]), torch.tensor([3, 3])
    for dtype in (torch.float32, torch.float64):
        scores = drawn(6, 2, 4).to(dtype).log_softmax(2)
        losses, alpha = aten._ctc_loss(scores, targets, steps.tolist(), lengths.tolist())
        by_sample, g = scores.transpose(0, 1).contiguous(), drawn(2).to(dtype)
        blank = torch.full_like(alpha, -torch.inf)
        yield "ctc_forward", [empty(losses), blank, by_sample, targets, steps, lengths, 0], {0: losses, 1: alpha}
        back = aten._ctc_loss_backward(g, scores, targets, steps.tolist(), lengths.tolist(), losses, alpha, 0)
        args = [empty(by_sample), blank, g, by_sample, targets, losses, alpha, steps, lengths, 0, False]
        yield ("ctc_backward", args, {0: back.transpose(0, 1)})


def main() -> None:
    torch.manual_seed(2025)
    facts = {subject.__name__: [
        {"name": name, "args": [written(a) for a in args], "after": {k: written(t) for k, t in after.items()}}
        for name, args, after in subject()] for subject in (embedding_bag, ctc)}
    OUT.write_bytes(gzip.compress(json.dumps(facts, separators=(",", ":")).encode(), mtime=0))
    print(OUT.stat().st_size, "bytes;", {k: len(v) for k, v in facts.items()})


if __name__ == "__main__":
    main()
