"""Losses of classes."""

from .. import S

SAMPLES = {
    "nll_loss_nd": [S("F.nll_loss(x, t)", x="f(3, 4)", t="i(3, high=4)"),
                    S("F.nll_loss(x, t, reduction='none')", x="f(3, 4, 5)", t="i(3, 5, high=4)"),
                    S("F.nll_loss(x, t)", x="f(3, 4)", t="i(2, high=4)")],
    "nll_loss": [S("torch.ops.aten.nll_loss(x, t, w.detach(), 1, 2)", x="f(3, 4)", t="i(3, high=4)",
                   w="pos(4)"),
                 S("torch.ops.aten.nll_loss(x, t)", x="f(3, 4)", t="i(3, low=9, high=10)")],
    "nll_loss_forward": [S("torch.ops.aten.nll_loss_forward(x, t, None, 1, -100)", x="f(3, 4)", t="i(3, high=4)"),
                         S("torch.ops.aten.nll_loss_forward(x, t, None, 0, -100)", x="f(3, 4)", t="f(3)")],
    "nll_loss_backward": [S("torch.ops.aten.nll_loss_backward(g, x, t, None, 1, -100, w.detach())", g="f(1).sum()",
                            x="f(3, 4)", t="i(3, high=4)", w="pos(1).sum()")],
    "nll_loss2d": [S("F.nll_loss(x, t)", x="f(3, 4, 2, 2)", t="i(3, 2, 2, high=4)"),
                   S("torch.ops.aten.nll_loss2d(x, t, None, 0)", x="f(3, 4, 2, 2)", t="i(3, 2, 2, high=4)")],
    "nll_loss2d_forward": [S("torch.ops.aten.nll_loss2d_forward(x, t, w.detach(), 2, 1)", x="f(3, 4, 2, 2)",
                             t="i(3, 2, 2, high=4)", w="pos(4)")],
    "nll_loss2d_backward": [S("torch.ops.aten.nll_loss2d_backward(g, x, t, None, 1, -100, w.detach())", g="f(1).sum()",
                              x="f(3, 4, 2, 2)", t="i(3, 2, 2, high=4)", w="pos(1).sum()")],
    "cross_entropy_loss": [S("F.cross_entropy(x, t)", x="f(3, 4)", t="i(3, high=4)"),
                           S("F.cross_entropy(x, t, w.detach(), ignore_index=2, label_smoothing=0.1)", x="f(3, 4)",
                             t="i(3, high=4)", w="pos(4)"),
                           S("F.cross_entropy(x, t)", x="f(3, 4)", t="pos(3, 4)"),
                           S("F.cross_entropy(x, t, label_smoothing=0.1, reduction='sum')", x="f(3, 4, 2, 2)",
                             t="i(3, 2, 2, high=4)")],
}

# Arguments that torch refuses a gradient.
_NLL = {"x": "f(3, 4)", "t": "i(3, high=4)"}
_NLL2D = {"x": "f(3, 4, 2, 2)", "t": "i(3, 2, 2, high=4)"}
SAMPLES["nll_loss"].append(S("torch.ops.aten.nll_loss(x, t, w)", w="pos(4)", **_NLL))
SAMPLES["nll_loss2d_forward"].append(S("torch.ops.aten.nll_loss2d_forward(x, t, w, 2, 1)", w="pos(4)", **_NLL2D))
SAMPLES["cross_entropy_loss"].append(S("F.cross_entropy(x, t, w)", w="pos(4)", **_NLL))
for _name, _given in (("nll_loss", _NLL), ("nll_loss2d", _NLL2D)):
    SAMPLES[f"{_name}_backward"].append(
        S(f"torch.ops.aten.{_name}_backward(g, x, t, None, 1, -100, w)", g="f(1).sum()", w="pos(1).sum()", **_given))
