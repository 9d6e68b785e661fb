"""Activations with a threshold, a gate or a weight of their own."""

from .. import S

SAMPLES = {
    "threshold": [S("F.threshold(x, 0.1, 20)", x="f(3, 4)"), S("torch.threshold(x, 1.5, 2.5)", x="i(3, 4)")],
    "threshold_": [S("F.threshold(x * 1, 0.1, 20, inplace=True)", x="f(3, 4)")],
    "threshold.out": [S("torch.threshold(x, 0.1, 20, out=y)", x="f(3, 4)", y="f(3, 4)")],
    "hardshrink": [S("F.hardshrink(x)", x="f(3, 4)"), S("x.hardshrink(1.0)", x="f(3, 4)")],
    "hardshrink.out": [S("torch.ops.aten.hardshrink(x, out=y)", x="f(3, 4)", y="f(3, 4)")],
    "softshrink": [S("F.softshrink(x)", x="f(3, 4)"), S("F.softshrink(x, -1)", x="f(3)")],
    "softshrink.out": [S("torch.ops.aten.softshrink(x, out=y)", x="f(3, 4)", y="f(3, 4)")],
    "log_sigmoid": [S("F.logsigmoid(x)", x="f(3, 4)"), S("F.logsigmoid(x.t())", x="f(3, 4)")],
    "log_sigmoid_forward": [S("torch.ops.aten.log_sigmoid_forward(x)", x="f(3, 4)")],
    "glu": [S("F.glu(x)", x="f(3, 4)"), S("F.glu(x, 0)", x="f(4, 3)"), S("F.glu(x)", x="f(3, 5)")],
    "glu_backward": [S("torch.ops.aten.glu_backward(g, x, -1)", g="f(3, 2)", x="f(3, 4)")],
    "prelu": [S("F.prelu(x, w)", x="f(3, 4)", w="f(1)"), S("F.prelu(x, w)", x="f(2, 4, 3)", w="f(4)"),
              S("F.prelu(x, w)", x="f(3, 4)", w="f(3)")],
    "_prelu_kernel": [S("torch.ops.aten._prelu_kernel(x, w)", x="f(3, 4)", w="f(1, 4)")],
    "_prelu_kernel_backward": [S("torch.ops.aten._prelu_kernel_backward(g, x, w)", g="f(3, 4)", x="f(3, 4)",
                                 w="f(1, 4)")],
}
