"""Convolution over time."""

from .. import S

X = {"x": "f(5, 2, 3)", "w": "f(3, 3, 4)", "b_": "f(4)"}

SAMPLES = {
    "conv_tbc": [*[S(f"torch.conv_tbc({given})", **X) for given in (
        "x, w, b_", "x, w, b_, 1", "x, w, b_, 5", "x[0], w, b_", "x, w[0], b_", "x, w, w", "x, w[:, :2], b_",
        "x, w, b_[:3]", "x[:1], w, b_", "x[:, :0], w, b_")]],
    "conv_tbc_backward": [S("torch.ops.aten.conv_tbc_backward(g, x, w, b_, 1)", g="f(5, 2, 4)", **X)],
}
