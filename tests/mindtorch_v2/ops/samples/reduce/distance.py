"""Samples of ops/reduce/distance.py."""

from __future__ import annotations

from .. import S

SAMPLES = {
    "pairwise_distance": [S("torch.nn.functional.pairwise_distance(x, y)", x="f(3, 4)", y="f(3, 4)"),
                          S("torch.nn.functional.pairwise_distance(x, y, p=1.0, keepdim=True)", x="f(3, 4)", y="f(4)")],
    "cosine_similarity": [S("torch.cosine_similarity(x, y)", x="f(3, 4)", y="f(3, 4)"),
                          S("torch.cosine_similarity(x, y, dim=0)", x="f(3, 4)", y="f(3, 1)")],
}
