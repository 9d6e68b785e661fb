"""Tables looked up by number, row by row and in bags: text, numbers, gradients, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

TABLES = ("Embedding(10, 3)", "Embedding(10, 3, padding_idx=-2)", "Embedding(10, 3, max_norm=1.0, norm_type=1.0)", "Embedding(10, 3, scale_grad_by_freq=True)",
          "Embedding(10, 3, padding_idx=3, scale_grad_by_freq=True)", "Embedding(10, 3, dtype=torch.float64)", "Embedding.from_pretrained(torch.arange(30.0).view(10, 3))",
          "Embedding.from_pretrained(torch.arange(30.0).view(10, 3), freeze=False, padding_idx=2, max_norm=9.0)")
BAGS = ("EmbeddingBag(10, 3)", "EmbeddingBag(10, 3, mode='sum')", "EmbeddingBag(10, 3, mode='max')", "EmbeddingBag(10, 3, max_norm=1.0, norm_type=1.0, mode='sum')",
        "EmbeddingBag(10, 3, scale_grad_by_freq=True)", "EmbeddingBag(10, 3, padding_idx=-2)", "EmbeddingBag(10, 3, padding_idx=3, mode='max')",
        "EmbeddingBag(10, 3, padding_idx=3, mode='sum', dtype=torch.float64)", "EmbeddingBag.from_pretrained(torch.arange(30.0).view(10, 3))",
        "EmbeddingBag.from_pretrained(torch.arange(30.0).view(10, 3), freeze=False, mode='sum', padding_idx=2)")
X = "x, o = torch.tensor([1, 2, 3, 4, 3, 8, 7]), torch.tensor([0, 2, 5])\nw = torch.randn(10, 3, requires_grad=True)\n"
MISTAKES = ("x, w", "x.view(1, 7), w, o", "x, w, o, mode='mid'", "x, w, o.view(1, 3)", "x.view(7, 1, 1), w, o", "x[0], w, o", "w, x, o", "x, w, o, mode='max', scale_grad_by_freq=True",
            "x, w, o, mode='max', sparse=True", "x, w, o, per_sample_weights=torch.ones(7)", "x, w, o, mode='sum', per_sample_weights=torch.ones(6)", "x, w, o, padding_idx=10")

CASES = {
    **{table: f"m = nn.{table}\nx = torch.tensor([[1, 2, 3], [3, 8, 8]])\ny = m(x)\nif y.requires_grad: (y * y).sum().backward()\nout = [repr(m), y, m.weight, m.weight.grad, list(m.state_dict()), [getattr(m, n) for n in m.__constants__]]" for table in TABLES},
    **{bag: f"{X}m = nn.{bag}\ny = m(x, o)\nif y.requires_grad: (y * y).sum().backward()\nout = [repr(m), y, m.weight, m.weight.grad, m(x.view(7, 1)), list(m.state_dict()), [getattr(m, n) for n in m.__constants__]]" for bag in BAGS},
    **{f"half {mode}": f"{X}w = w.detach().half().requires_grad_()\ny = F.embedding_bag(x, w, o, mode='{mode}', padding_idx=3)\ny.sum().backward()\nout = [y, w.grad]" for mode in ("sum", "mean", "max")},
    "weights of rows": f"{X}p = torch.randn(7, requires_grad=True)\ny = F.embedding_bag(x, w, o, mode='sum', per_sample_weights=p)\n(y * y).sum().backward()\nout = [y, w.grad, p.grad]",
    "weights of rows in a table": f"{X}p = torch.randn(2, 3, requires_grad=True)\ny = F.embedding_bag(x[:6].view(2, 3), w.double(), mode='sum', per_sample_weights=p.double(), padding_idx=3)\n(y * y).sum().backward()\nout = [y, w.grad, p.grad]",
    "last offset": f"{X}out = [F.embedding_bag(x, t, torch.tensor([0, 2, 2, 6]), mode=mode, include_last_offset=True) for mode in ('sum', 'mean', 'max') for t in (w, w.double())]",
    "no bags": f"{X}out = [F.embedding_bag(x[:0], w, o[:0], mode=mode) for mode in ('sum', 'mean')]",
    "empty bags": f"{X}y = F.embedding_bag(x[:0], w, o * 0, mode='max')\ny.sum().backward()\nout = [y, w.grad]",
    "whole numbers of 32 bits": f"{X}y = F.embedding_bag(x.int(), w, o.int())\ny.sum().backward()\nout = [y, w.grad, F.embedding_bag(x.int(), w, o, mode='sum')]",
    "rows in another order": f"{X}t = w.t().contiguous().t().detach().requires_grad_()\ny = F.embedding_bag(torch.cat([x, x])[::2], t, o, mode='sum')\ny.sum().backward()\nout = [y, t.grad]",
    **{f"embedding_bag({given})": f"{X}out = F.embedding_bag({given})" for given in MISTAKES},
    "Embedding padding outside": "nn.Embedding(3, 2, padding_idx=3)", "EmbeddingBag padding outside": "nn.EmbeddingBag(3, 2, padding_idx=3)",
    "EmbeddingBag weight of another size": "nn.EmbeddingBag(3, 2, _weight=torch.ones(2, 3))", "EmbeddingBag three dimensions": "nn.EmbeddingBag.from_pretrained(torch.ones(1, 2, 3))",
    "second derivative": f"{X}y = F.embedding_bag(x, w, o)\n(g,) = torch.autograd.grad((y * y).sum(), w, create_graph=True)\ng.sum().backward()",
}
