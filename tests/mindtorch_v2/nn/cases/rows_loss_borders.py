"""The rows of losses and activations at their borders."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

X = "x = torch.randn(3, 4, requires_grad=True); t = torch.rand(3, 4) * 4; one = torch.randn((), requires_grad=True); none = torch.randn(0, 5, requires_grad=True)\n"

CASES = {call: (X, call) for call in (
    "F.poisson_nll_loss(x, t, full=True).backward()", "F.log_softmax(one, 0).backward()", "F.softmax(one, 0).backward()", "F.nll_loss(none, torch.zeros(0).long(), reduction='none').sum().backward()",
    "F.cross_entropy(none, torch.rand(0, 5))", "F.cross_entropy(x[0], t[0], weight=t[1])", "x.t().max()", "torch.zeros(8, 3).index_add_(0, torch.tensor(2), torch.ones(1, 3))", "torch.zeros(8).index_add_(0, torch.arange(6)[::2], torch.ones(3))")}
