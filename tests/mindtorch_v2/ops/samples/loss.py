"""Losses of classes."""

from . import S

SAMPLES = {
    "nll_loss_nd": [S("F.nll_loss(x, t)", x="f(3, 4)", t="i(3, high=4)"),
                    S("F.nll_loss(x, t, reduction='none')", x="f(3, 4, 5)", t="i(3, 5, high=4)"),
                    S("F.nll_loss(x, t)", x="f(3, 4)", t="i(2, high=4)")],
    "nll_loss": [S("torch.ops.aten.nll_loss(x, t, w, 1, 2)", x="f(3, 4)", t="i(3, high=4)",
                   w="pos(4)"),
                 S("torch.ops.aten.nll_loss(x, t)", x="f(3, 4)", t="i(3, low=9, high=10)")],
    "nll_loss_forward": [S("torch.ops.aten.nll_loss_forward(x, t, None, 1, -100)", x="f(3, 4)", t="i(3, high=4)"),
                         S("torch.ops.aten.nll_loss_forward(x, t, None, 0, -100)", x="f(3, 4)", t="f(3)")],
    "nll_loss_backward": [S("torch.ops.aten.nll_loss_backward(g, x, t, None, 1, -100, w)", g="f(1).sum()",
                            x="f(3, 4)", t="i(3, high=4)", w="pos(1).sum()")],
    "nll_loss2d": [S("F.nll_loss(x, t)", x="f(3, 4, 2, 2)", t="i(3, 2, 2, high=4)"),
                   S("torch.ops.aten.nll_loss2d(x, t, None, 0)", x="f(3, 4, 2, 2)", t="i(3, 2, 2, high=4)")],
    "nll_loss2d_forward": [S("torch.ops.aten.nll_loss2d_forward(x, t, w, 2, 1)", x="f(3, 4, 2, 2)",
                             t="i(3, 2, 2, high=4)", w="pos(4)")],
    "nll_loss2d_backward": [S("torch.ops.aten.nll_loss2d_backward(g, x, t, None, 1, -100, w)", g="f(1).sum()",
                              x="f(3, 4, 2, 2)", t="i(3, 2, 2, high=4)", w="pos(1).sum()")],
    "cross_entropy_loss": [S("F.cross_entropy(x, t)", x="f(3, 4)", t="i(3, high=4)"),
                           S("F.cross_entropy(x, t, w, ignore_index=2, label_smoothing=0.1)", x="f(3, 4)",
                             t="i(3, high=4)", w="pos(4)"),
                           S("F.cross_entropy(x, t)", x="f(3, 4)", t="pos(3, 4)"),
                           S("F.cross_entropy(x, t, label_smoothing=0.1, reduction='sum')", x="f(3, 4, 2, 2)",
                             t="i(3, 2, 2, high=4)")],
}
