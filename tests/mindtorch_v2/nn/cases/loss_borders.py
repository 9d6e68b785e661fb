"""Losses, activations and distances at their borders: nothing given, one number, other types and shapes."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

R = "r = torch.randn\n"
CALLS = (
    "F.cosine_embedding_loss(r(3, 4), r(3, 4), r(3, 4))", "F.cosine_embedding_loss(r(4), r(4), r(4))", "F.cosine_embedding_loss(r(3, 4), r(3, 4), r(()))", "F.cosine_embedding_loss(r(3, 4), r(4), r(3))",
    "F.cosine_embedding_loss(r(4), r(4), torch.ones(()))", "F.nll_loss(r(5), torch.tensor([1, 2]))", "F.nll_loss(r(5), torch.tensor([1]))", "F.nll_loss(r(2, 5, 3, 3), torch.zeros(2, 3, 3))",
    "F.nll_loss(r(2, 5, 3, 3), torch.zeros(2, 3, 3).byte())", "F.nll_loss(r(2, 5, 3), torch.zeros(2, 3).int())", "F.cross_entropy(r(2, 5, 3, 3), torch.zeros(2, 3, 3).bool())", "F.cross_entropy(r(0, 5), torch.rand(0, 5))",
    "F.cosine_similarity(torch.tensor(1), torch.tensor(2), eps=-1.0)", "F.softmax(torch.tensor(3), -1)", "F.log_softmax(torch.tensor(3), 0)", "F.multilabel_soft_margin_loss(r(()), r(()))",
    "r(()).size(-1)", "r(()).size(1)", "r(()).stride(0)", "r(2, 3).stride(5)", "r(2, 3).stride(-2)",
)

CASES = {
    **{call: f"{R}out = {call}" for call in CALLS},
    "soft_margin_loss of nothing": "x = torch.randn(0, requires_grad=True)\ny = F.soft_margin_loss(x, torch.randn(0))\ny.backward()\nout = [y, x.grad]",
    "nll_loss of nothing": "x = torch.randn(0, 5, requires_grad=True)\ny = F.nll_loss(x, torch.zeros(0).long(), reduction='none')\ny.sum().backward()\nout = [y, x.grad]",
    "a complex delta": "nn.HuberLoss(delta=1j)",
    "nll_loss with weights of another type": "F.nll_loss(torch.randn(2, 3), torch.tensor([0, 1]), torch.ones(3).half())",
}
