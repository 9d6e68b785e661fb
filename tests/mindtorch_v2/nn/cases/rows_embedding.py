"""The rows that bags of a table's rows leave in a profile."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

X = "x, o = torch.tensor([1, 2, 3, 4, 3, 8, 7]), torch.tensor([0, 2, 5])\nw = torch.randn(10, 3, requires_grad=True)\np = torch.randn(7, requires_grad=True)\n"
OPTIONS = ("mode='sum'", "mode='mean'", "mode='max'", "mode='sum', padding_idx=3", "mode='mean', scale_grad_by_freq=True", "mode='sum', include_last_offset=True",
           "mode='mean', include_last_offset=True", "mode='sum', per_sample_weights=p", "mode='sum', per_sample_weights=p, padding_idx=3", "max_norm=1.0")

CASES = {
    "EmbeddingBag(4, 3)": ("", "nn.EmbeddingBag(4, 3)"), "EmbeddingBag(4, 3, padding_idx=1)": ("", "nn.EmbeddingBag(4, 3, padding_idx=1)"),
    **{f"F.embedding_bag(x, w, o, {options})": (X, f"F.embedding_bag(x, w, o, {options}).sum().backward()") for options in OPTIONS},
    **{f"F.embedding_bag(x, w.detach(), o, {options})": (X, f"F.embedding_bag(x, w.detach(), o, {options})") for options in OPTIONS},
    **{f"F.embedding_bag(x, {kind}, o, {options})": (X, f"F.embedding_bag(x, {kind}, o, {options}).sum().backward()") for kind in ("w.double()", "w.half()", "w.mT.contiguous().mT")
       for options in OPTIONS[:5]},
    "F.embedding_bag(x.view(7, 1), w)": (X, "F.embedding_bag(x.view(7, 1), w)"),
}
