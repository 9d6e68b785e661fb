"""Losses of two tensors compared element by element."""

from .. import S

PAIR = {"x": "f(3, 4)", "y": "f(3, 4)"}

SAMPLES = {
    "mse_loss": [S("F.mse_loss(x, y)", **PAIR), S("F.mse_loss(x, y, reduction='none')", **PAIR),
                 S("torch.ops.aten.mse_loss(x, y, 2)", x="f(3, 4)", y="f(4)"),
                 S("F.mse_loss(x, y)", x="i(3)", y="i(3)")],
    "mse_loss_backward": [S("torch.ops.aten.mse_loss_backward(g, x, y, 1)", g="f(1).sum()", **PAIR)],
    "mse_loss_backward.grad_input": [S("torch.ops.aten.mse_loss_backward(g, x, y, 1, grad_input=o)", g="f(1).sum()",
                                       o="f(3, 4)", **PAIR)],
    "smooth_l1_loss": [S("F.smooth_l1_loss(x, y)", **PAIR),
                       S("F.smooth_l1_loss(x, y, reduction='sum', beta=0.5)", **PAIR),
                       S("F.smooth_l1_loss(x, y, beta=-1.0)", **PAIR)],
    "smooth_l1_loss_backward": [S("torch.ops.aten.smooth_l1_loss_backward(g, x, y, 1, 0.5)", g="f(1).sum()", **PAIR)],
    "smooth_l1_loss_backward.grad_input": [S("torch.ops.aten.smooth_l1_loss_backward(g, x, y, 1, 0.5, grad_input=o)",
                                             g="f(1).sum()", o="f(3, 4)", **PAIR)],
    "huber_loss": [S("F.huber_loss(x, y)", **PAIR), S("F.huber_loss(x, y, reduction='none', delta=0.7)", **PAIR),
                   S("F.huber_loss(x, y, delta=0.0)", **PAIR)],
    "huber_loss_backward": [S("torch.ops.aten.huber_loss_backward(g, x, y, 1, 0.7)", g="f(1).sum()", **PAIR)],
    "huber_loss_backward.out": [S("torch.ops.aten.huber_loss_backward(g, x, y, 1, 0.7, grad_input=o)", g="f(1).sum()",
                                  o="f(3, 4)", **PAIR)],
    "l1_loss": [S("F.l1_loss(x, y)", **PAIR), S("F.l1_loss(x, y, reduction='sum')", **PAIR)],
    "kl_div": [S("F.kl_div(x, y, reduction='sum')", x="f(3, 4)", y="pos(3, 4)"),
               S("F.kl_div(x, y, reduction='batchmean', log_target=True)", **PAIR)],
}
