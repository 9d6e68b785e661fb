"""The rows that layers of classes, distances and noise leave in a profile."""
# ruff: noqa: E501  a program stands on one line

from __future__ import annotations

ADAPTIVE = "m = nn.AdaptiveLogSoftmaxWithLoss(18, 10, [3, 7]); x = torch.randn(8, 18); t = torch.tensor([0, 1, 4, 5, 8, 9, 2, 3])\n"
X = "x, y = torch.randn(4, 3, requires_grad=True), torch.randn(5, 3, requires_grad=True)\n"

CASES = {
    **{call: (ADAPTIVE, call) for call in ("m(x, t).loss.backward()", "m.log_prob(x)", "m.predict(x)", "m(x[0], t[0])", "nn.AdaptiveLogSoftmaxWithLoss(18, 10, [3, 7])")},
    **{call: (X, call) for call in ("F.rrelu(x, training=True).sum().backward()", "F.rrelu(x).sum().backward()", "F.rrelu(x * 1, training=True, inplace=True).sum().backward()", "F.pdist(x).sum().backward()",
                                    "torch.cdist(x, y).sum().backward()", "torch.cdist(x, y, compute_mode='use_mm_for_euclid_dist').sum().backward()", "F.linear_cross_entropy(x, y, torch.tensor([0, 1, 2, 3])).backward()")},
}
