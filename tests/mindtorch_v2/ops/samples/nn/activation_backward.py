"""Derivatives of the activations, called as ops."""

from .. import S

SAMPLES = {
    "threshold_backward": [S("torch.ops.aten.threshold_backward(g, x, 0.5)", g="f(3, 4)", x="f(3, 4)"),
                           S("torch.ops.aten.threshold_backward(g, x, 1)", g="i(3)", x="i(3)")],
    "sigmoid_backward": [S("torch.ops.aten.sigmoid_backward(g, y)", g="f(3, 4)", y="pos(3, 4)")],
    "tanh_backward": [S("torch.ops.aten.tanh_backward(g, y)", g="f(3, 4)", y="pos(3, 4)")],
    "gelu_backward": [S("torch.ops.aten.gelu_backward(g, x)", g="f(3, 4)", x="f(3, 4)"),
                      S("torch.ops.aten.gelu_backward(g, x, approximate='tanh')", g="f(3, 4)", x="f(3, 4)"),
                      S("torch.ops.aten.gelu_backward(g.t(), x)", g="f(4, 3)", x="f(3, 4)")],
    "silu_backward": [S("torch.ops.aten.silu_backward(g, x)", g="f(3, 4)", x="f(3, 4)")],
    "hardtanh_backward": [S("torch.ops.aten.hardtanh_backward(g, x, -1, 1)", g="f(3, 4)", x="f(3, 4)")],
    "hardswish_backward": [S("torch.ops.aten.hardswish_backward(g, x)", g="f(3, 4)", x="f(3, 4) * 3")],
    # on detached tensors: torch has no derivative for it, ours has
    "hardsigmoid_backward": [S("torch.ops.aten.hardsigmoid_backward(g.detach(), x.detach())", g="f(3, 4)",
                               x="f(3, 4) * 3")],
    "softplus_backward": [S("torch.ops.aten.softplus_backward(g, x, 2, 1)", g="f(3, 4)", x="f(3, 4)")],
    "elu_backward": [S("torch.ops.aten.elu_backward(g, 0.5, 1, 1, False, x)", g="f(3, 4)", x="f(3, 4)"),
                     S("torch.ops.aten.elu_backward(g, -0.5, 1, 1, True, x)", g="f(3)", x="f(3)")],
    "leaky_relu_backward": [S("torch.ops.aten.leaky_relu_backward(g, x, 0.2, False)", g="f(3, 4)", x="f(3, 4)"),
                            S("torch.ops.aten.leaky_relu_backward(g, x, -0.2, True)", g="f(3)", x="f(3)")],
    "mish_backward": [S("torch.ops.aten.mish_backward(g, x)", g="f(3, 4)", x="f(3, 4)")],
    "log_sigmoid_backward": [S(f"torch.ops.aten.log_sigmoid_backward(g, x, torch.exp(-x.abs()){after})", g="f(3, 4)",
                               x="f(3, 4)") for after in (".detach()", "")],
    "hardshrink_backward": [S("torch.ops.aten.hardshrink_backward(g, x, 0.5)", g="f(3, 4)", x="f(3, 4)")],
    "softshrink_backward": [S("torch.ops.aten.softshrink_backward(g, x, 0.5)", g="f(3, 4)", x="f(3, 4)")],
}
