"""The mean of each window."""

from .. import S

X1, X2, X3 = {"x": "f(2, 3, 9)"}, {"x": "f(2, 3, 8, 9)"}, {"x": "f(2, 2, 4, 5, 6)"}
LAST = ".contiguous(memory_format=torch.channels_last)"
LAST_3D = ".contiguous(memory_format=torch.channels_last_3d)"
A = "torch.ops.aten"
# Windows that torch refuses: kernel, stride, padding.
REFUSED = ["[2] * 4", "[]", "[2], [2] * 4", "[2], [2], [0] * 4", "[0]", "[-1]", "[2], [0]", "[2], [-1]",
           "[2], [2], [2]", "[2], [2], [-1]", "[99]"]

SAMPLES = {
    "avg_pool1d": [S("F.avg_pool1d(x, 2)", **X1), S("torch.avg_pool1d(x, 3, 2, 1)", **X1),
                   S("F.avg_pool1d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False)", x="f(3, 8)"),
                   S("F.avg_pool1d(x, 2)", x="f(0, 3, 8)"), S("F.avg_pool1d(x, 2)", x="i(2, 3, 8)"),
                   S("F.avg_pool1d(x, 2)", x="f(8)"), S("F.avg_pool1d(x, 2)", x="f(2, 0, 8)"),
                   *[S(f"{A}.avg_pool1d(x, {window})", **X1) for window in REFUSED]],
    "avg_pool2d": [S("F.avg_pool2d(x, 2)", **X2), S("F.avg_pool2d(x, (3, 2), (2, 1), (1, 0))", **X2),
                   S("F.avg_pool2d(x, 3, 2, 1, ceil_mode=True, count_include_pad=False)", **X2),
                   S("F.avg_pool2d(x, 3, 2, 1, ceil_mode=True)", **X2),
                   S("F.avg_pool2d(x, 2, divisor_override=3)", x="f(3, 6, 5)"),
                   S("F.avg_pool2d(x, 2)", x="f(0, 3, 6, 5)"), S(f"F.avg_pool2d(x{LAST}, 2)", **X2),
                   S("F.avg_pool2d(x.mT, 2)", **X2), S("F.avg_pool2d(x, 2)", x="h(1, 2, 4, 4)"),
                   S("F.avg_pool2d(x, 2)", x="i(1, 2, 4, 4)"), S("F.avg_pool2d(x.int(), 2)", x="i(1, 2, 4, 4)"),
                   S("F.avg_pool2d(x, 2)", x="f(4, 4)"), S("F.avg_pool2d(x, 2)", x="f(1, 1, 1, 4, 4)"),
                   S("F.avg_pool2d(x, 2)", x="f(1, 0, 4, 4)"), S("F.avg_pool2d(x, 2, divisor_override=0)", **X2),
                   *[S(f"{A}.avg_pool2d(x, {window})", **X2) for window in REFUSED]],
    "avg_pool2d_backward": [
        S(f"{A}.avg_pool2d_backward(g, x, [2], [2], [0], False, True, None)", g="f(2, 3, 2, 2)", x="f(2, 3, 4, 4)"),
        S(f"{A}.avg_pool2d_backward(g.mT, x.mT, [2], [1], [1], False, False, None)", g="f(3, 5, 6)", x="f(3, 4, 5)"),
        S(f"{A}.avg_pool2d_backward(g, x, [2], [2], [0], False, True, None)", g="f(2, 3, 2, 1)", x="f(2, 3, 4, 4)"),
        S(f"{A}.avg_pool2d_backward(g, x, [2], [2], [0], False, True, None)", g="d(2, 3, 2, 2)", x="f(2, 3, 4, 4)"),
        S(f"{A}.avg_pool2d_backward(g, x, [2], [2], [0], False, True, 0)", g="f(2, 3, 2, 2)", x="f(2, 3, 4, 4)")],
    "avg_pool3d": [S("F.avg_pool3d(x, 2)", **X3), S("F.avg_pool3d(x, 3, 2, 1, ceil_mode=True)", **X3),
                   S("F.avg_pool3d(x, (1, 2, 3), 1, 0, count_include_pad=False)", **X3),
                   S("F.avg_pool3d(x, 2, divisor_override=5)", x="f(2, 4, 4, 4)"),
                   S("F.avg_pool3d(x, 2)", x="f(0, 2, 4, 4, 4)"), S(f"F.avg_pool3d(x{LAST_3D}, 2)", **X3),
                   S("F.avg_pool3d(x.mT, 2)", **X3), S("F.avg_pool3d(x, 2)", x="i(1, 2, 4, 4, 4)"),
                   S("F.avg_pool3d(x, 2)", x="h(1, 2, 4, 4, 4)"), S("F.avg_pool3d(x, 2)", x="f(4, 4, 4)"),
                   S("F.avg_pool3d(x, 2)", x="f(1, 2, 0, 4, 4)"), S("F.avg_pool3d(x, 2, divisor_override=0)", **X3),
                   *[S(f"{A}.avg_pool3d(x, {window})", **X3) for window in REFUSED]],
    "avg_pool3d_backward": [
        S(f"{A}.avg_pool3d_backward(g, x, [2], [2], [0], False, True, None)", g="f(2, 2, 2, 2, 2)",
          x="f(2, 2, 4, 4, 4)"),
        S(f"{A}.avg_pool3d_backward(g, x, [2], [2], [0], False, True, None)", g="f(2, 2, 2, 2, 1)",
          x="f(2, 2, 4, 4, 4)")],
}
