"""Losses that want a margin."""

from .. import S

SIGNS = "i(3, low=0, high=2) * 2 - 1"

SAMPLES = {
    "hinge_embedding_loss": [S("F.hinge_embedding_loss(x, t)", x="f(3)", t=SIGNS)],
    "margin_ranking_loss": [S("F.margin_ranking_loss(x, y, t, 0.5)", x="f(3)", y="f(3)", t=SIGNS)],
    "cosine_embedding_loss": [S("F.cosine_embedding_loss(x, y, t, 0.1)", x="f(3, 4)", y="f(3, 4)", t=SIGNS)],
    "triplet_margin_loss": [S("F.triplet_margin_loss(x, y, z)", x="f(3, 4)", y="f(3, 4)", z="f(3, 4)")],
    "poisson_nll_loss": [S("F.poisson_nll_loss(x, y)", x="f(3, 4)", y="pos(3, 4)")],
    "soft_margin_loss": [S("F.soft_margin_loss(x, t)", x="f(3)", t=SIGNS)],
    "soft_margin_loss.out": [S("torch.ops.aten.soft_margin_loss(x, t, out=o)", x="f(3)", t="f(3)", o="torch.empty(0)")],
    "soft_margin_loss_backward": [S("torch.ops.aten.soft_margin_loss_backward(g, x, t.detach(), 1)", g="f(1).sum()",
                                    x="f(3)", t="f(3)")],
    "soft_margin_loss_backward.grad_input": [S("torch.ops.aten.soft_margin_loss_backward(g, x, t, 1, grad_input=o)",
                                               g="f(1).sum()", x="f(3)", t="f(3)", o="torch.empty(0)")],
}

# Arguments that torch refuses a gradient.
SAMPLES["soft_margin_loss"].append(S("F.soft_margin_loss(x, t)", x="f(3)", t="f(3)"))
SAMPLES["soft_margin_loss_backward"].append(
    S("torch.ops.aten.soft_margin_loss_backward(g, x, t, 1)", g="f(1).sum()", x="f(3)", t="f(3)"))
