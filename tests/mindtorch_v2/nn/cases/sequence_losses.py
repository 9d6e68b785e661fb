"""Losses of sequences and of margins between classes: text, numbers, gradients, checks."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

X = "x = torch.randn(6, 2, 5).log_softmax(2).requires_grad_()\nt, n, m = torch.tensor([[1, 2, 2], [3, 4, 1]]), torch.tensor([6, 5]), torch.tensor([3, 2])\n"
C = "x = torch.randn(3, 4, requires_grad=True)\nt, w = torch.tensor([0, 3, 1]), torch.rand(4)\nm = torch.tensor([[3, 0, -1, 1], [0, 1, 2, 3], [-1, 0, 0, 0]])\n"
LAYERS = {"CTCLoss()": "t, n, m", "CTCLoss(reduction='sum', zero_infinity=True)": "t, (2, 5), (3, 2)", "CTCLoss(4, 'none')": "t % 4, n, m"}
MARGINS = {"MultiMarginLoss()": "t", "MultiMarginLoss(2, 0.5, torch.ones(4) / 3)": "t", "MultiMarginLoss(reduction='none')": "t", "MultiMarginLoss(size_average=False)": "t",
           "MultiLabelMarginLoss()": "m", "MultiLabelMarginLoss(reduction='sum')": "m", "MultiLabelMarginLoss(reduce=False)": "m"}

CASES = {
    **{layer: f"{X}c = nn.{layer}\ny = c(x, {rest})\n(y * y).sum().backward()\nout = [repr(c), y, x.grad, list(c.state_dict()), [getattr(c, k) for k in c.__constants__]]" for layer, rest in LAYERS.items()},
    **{layer: f"{C}c = nn.{layer}\ny = c(x, {target})\n(y * y).sum().backward()\nout = [repr(c), y, x.grad, list(c.state_dict()), [getattr(c, k) for k in c.__constants__]]" for layer, target in MARGINS.items()},
    "MultiMarginLoss three": "nn.MultiMarginLoss(p=3)", "MultiMarginLoss weight": "nn.MultiMarginLoss(weight=torch.ones(2, 2))", "NLLLoss2d": "repr(nn.NLLLoss2d())",
    **{f"multi_margin_loss({given})": f"{C}out = F.multi_margin_loss({given})" for given in ("x, t, p=3", "x, t, weight=w.view(2, 2)", "x, t, reduction='mid'", "x, t, weight=w.requires_grad_()", "x[0], t[0]", "x.half(), t")},
    **{f"multilabel_margin_loss_backward({given})": f"{C}own = (m > 0).float()\nout = torch.ops.aten.multilabel_margin_loss_backward({given})" for given in ("torch.ones(()), x, m, 1, own + 1", "torch.ones(()), x, m + 1, 1, own")},
    "lengths that are no integers": f"{X}out = F.ctc_loss(x, t, n, m.float())", "alignment twice derived": f"{X}(g,) = torch.autograd.grad(F.ctc_loss(x, t, n, m), x, create_graph=True)\ng.sum().backward()",
    "labels of one sample": f"{X}y = F.ctc_loss(x[:, 0], t[0], n[0], m[0], reduction='none')\ny.backward()\nout = [y, x.grad]",
    **{f"torch.{call}": f"a, b, t = torch.randn(2, 3), torch.randn(2, 3), torch.ones(2)\nout = [torch.{call}, torch.ops.aten.{call}]" for call in ("margin_ranking_loss(a, b, t[:, None])", "hinge_embedding_loss(a, t[:, None])", "cosine_embedding_loss(a, b, t)", "triplet_margin_loss(a, b, a + b)", "kl_div(a, b)", "kl_div(a, b, 2)")},
}
