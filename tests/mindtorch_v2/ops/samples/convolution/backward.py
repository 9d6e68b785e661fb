"""Derivatives of convolutions."""

from .. import S

ALL, NONE = "[True, True, True]", "(0, 0)"
BACKWARD = "torch.ops.aten.convolution_backward"
IMAGE = {"g": "f(2, 4, 3, 5)", "x": "f(2, 3, 5, 6)", "w": "f(4, 3, 3, 2)"}

SAMPLES = {
    "convolution_backward": [
        S(f"{BACKWARD}(g, x, w, [4], (1, 1), (0, 0), (1, 1), False, (0, 0), 1, {ALL})", **IMAGE),
        S(f"{BACKWARD}(g, x, w, [0], (1, 1), (0, 0), (1, 1), False, (0, 0), 1, [True, True, False])[1]", **IMAGE),
        S(f"{BACKWARD}(g, x, w, [4], (2, 2), (1, 1), (1, 1), False, (0, 0), 1, {ALL})", g="f(2, 4, 3, 4)",
          x="f(2, 3, 5, 6)", w="f(4, 3, 3, 2)"),
        S(f"{BACKWARD}(g, x, w, [4], (1, 1), (0, 0), (1, 1), False, (0, 0), 1, {ALL})", g="f(1, 4, 3, 5)",
          x="f(1, 3, 5, 6)", w="f(4, 3, 3, 2)"),
        S(f"{BACKWARD}(g, x, w, [4], (1, 1), (0, 0), (1, 1), False, (0, 0), 1, {ALL})", g="d(2, 4, 3, 5)",
          x="d(2, 3, 5, 6)", w="d(4, 3, 3, 2)"),
        S(f"{BACKWARD}(g, x, w, [2], (2, 2), (0, 0), (1, 1), True, (0, 0), 1, {ALL})", g="f(2, 2, 9, 10)",
          x="f(2, 3, 4, 5)", w="f(3, 2, 3, 2)"),
        S(f"{BACKWARD}(g, x, w, [4], (1,), (1,), (1,), False, (0,), 1, {ALL})", g="f(2, 4, 8)", x="f(2, 3, 8)",
          w="f(4, 3, 3)"),
        S(f"{BACKWARD}(g, x, w, [6], (1, 1), (1, 1), (1, 1), False, (0, 0), 2, {ALL})", g="f(2, 6, 5, 5)",
          x="f(2, 4, 5, 5)", w="f(6, 2, 3, 3)"),
        S(f"{BACKWARD}(g, x, w, [4], (1, 1), (0, 0), (1, 1), False, (0, 0), 1, {ALL})", g="f(0, 4, 3, 5)",
          x="f(0, 3, 5, 6)", w="f(4, 3, 3, 2)")],
    "_convolution_double_backward": [
        S("torch.ops.aten._convolution_double_backward(u, v, c, g, w, x, (1, 1), (0, 0), (1, 1), False, (0, 0), 1, "
          "[True, True, True])", u="f(2, 3, 5, 6)", v="f(4, 3, 3, 2)", c="f(4)", **IMAGE)],
}
