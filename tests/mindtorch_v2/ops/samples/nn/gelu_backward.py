"""Samples of ops/nn/gelu_backward.py."""

from .. import S

SAMPLES = {
    "infinitely_differentiable_gelu_backward": [
        S("torch.ops.aten.infinitely_differentiable_gelu_backward(x, y)", x="f(5)", y="f(5)")],
}
