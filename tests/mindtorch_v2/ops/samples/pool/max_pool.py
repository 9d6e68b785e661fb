"""The largest element of each window."""

from .. import S

X1, X2, X3 = {"x": "f(2, 3, 9)"}, {"x": "f(2, 3, 8, 9)"}, {"x": "f(2, 2, 4, 5, 6)"}
LAST = ".contiguous(memory_format=torch.channels_last)"
LAST_3D = ".contiguous(memory_format=torch.channels_last_3d)"
A = "torch.ops.aten"
# Windows that torch refuses: kernel, stride, padding, dilation.
REFUSED = ["[2] * 4", "[]", "[2], [2] * 4", "[2], [2], [0] * 4", "[2], [2], [0], [1] * 4", "[0]", "[-1]", "[2], [0]",
           "[2], [-1]", "[2], [2], [2]", "[2], [2], [-1]", "[2], [2], [0], [0]", "[99]", "[3], [2], [2], [2]"]

SAMPLES = {
    "max_pool1d": [S("torch.max_pool1d(x, 2)", **X1), S("F.max_pool1d(x, 3, 2, 1)", **X1),
                   S("F.max_pool1d(x, 3, 2, padding=1, ceil_mode=True)", x="f(3, 8)"),
                   S("F.max_pool1d(x, 2, dilation=3)", **X1), S("torch.max_pool1d(x[:, :, ::2], 2)", **X1),
                   S("torch.max_pool1d(x, 2)", x="f(0, 3, 8)"), S("torch.max_pool1d(x, 2)", x="h(2, 3, 8)"),
                   S("torch.max_pool1d(x, 2)", x="f(8)"),
                   S("torch.max_pool1d(x, 2)", x="f(2, 0, 8)"), S("torch.max_pool1d(x, 2)", x="f(1, 2, 3, 8)"),
                   *[S(f"{A}.max_pool1d(x, {window})", **X1) for window in REFUSED]],
    "max_pool1d_with_indices": [S("torch.max_pool1d_with_indices(x, 2)", **X1),
                                S("F.max_pool1d(x, 3, 2, 1, return_indices=True)", x="f(3, 9)"),
                                S(f"{A}.max_pool1d_with_indices(x, [2, 2])", **X1),
                                S(f"{A}.max_pool1d_with_indices(x, [2])", x="f(9)")],
    "max_pool2d": [S("torch.max_pool2d(x, 2)", **X2), S("F.max_pool2d(x, (3, 2), (2, 1), (1, 0))", **X2),
                   S("F.max_pool2d(x, 3, 2, 1, ceil_mode=True)", **X2), S("F.max_pool2d(x, 2, 1, 0, (2, 3))", **X2),
                   S("F.max_pool2d(x, 2)", x="f(3, 6, 5)"), S("F.max_pool2d(x, 2)", x="f(0, 3, 6, 5)"),
                   S(f"F.max_pool2d(x{LAST}, 2)", **X2), S("F.max_pool2d(x.mT, 2)", **X2),
                   S("F.max_pool2d(x, 2)", x="h(1, 2, 4, 4)"), S("F.max_pool2d(x, 2)", x="i(1, 2, 4, 4)"),
                   S("F.max_pool2d(x, 2)", x="b(1, 2, 4, 4)"), S("F.max_pool2d(x, 2)", x="c(1, 2, 4, 4)"),
                   S("F.max_pool2d(x, 2)", x="f(4, 4)"), S("F.max_pool2d(x, 2)", x="f(1, 1, 1, 4, 4)"),
                   S("F.max_pool2d(x, 2)", x="f(1, 0, 4, 4)"), S("F.max_pool2d(x, 2)", x="f(1, 2, 0, 4)"),
                   *[S(f"{A}.max_pool2d(x, {window})", **X2) for window in REFUSED]],
    "max_pool2d_with_indices": [
        S("F.max_pool2d(x, 3, 2, 1, return_indices=True)", **X2), S("F.max_pool2d_with_indices(x, 2)", **X2),
        S(f"F.max_pool2d(x{LAST}, 2, return_indices=True)", **X2),
        S("F.max_pool2d(torch.where(x > 1, torch.nan, x), 3, 2, return_indices=True)", **X2)],
    "max_pool2d_with_indices_backward": [
        S(f"{A}.max_pool2d_with_indices_backward(g, x, [2], [2], [0], [1], False, i_)", g="f(2, 3, 2, 2)",
          x="f(2, 3, 4, 4)", i_="i(2, 3, 2, 2, high=16)"),
        S(f"{A}.max_pool2d_with_indices_backward(g.mT, x.mT, [2], [2], [0], [1], False, i_.mT)", g="f(3, 2, 2)",
          x="f(3, 4, 5)", i_="i(3, 2, 2, high=16)"),
        S(f"{A}.max_pool2d_with_indices_backward(g, x, [2], [2], [0], [1], False, i_.int())", g="f(2, 3, 2, 2)",
          x="f(2, 3, 4, 4)", i_="i(2, 3, 2, 2, high=16)"),
        S(f"{A}.max_pool2d_with_indices_backward(g, x, [2], [2], [0], [1], False, i_)", g="f(2, 3, 2, 1)",
          x="f(2, 3, 4, 4)", i_="i(2, 3, 2, 2, high=16)"),
        S(f"{A}.max_pool2d_with_indices_backward(g, x, [2], [2], [0], [1], False, i_)", g="d(2, 3, 2, 2)",
          x="f(2, 3, 4, 4)", i_="i(2, 3, 2, 2, high=16)")],
    "max_pool3d": [S("torch.max_pool3d(x, 2)", **X3), S("F.max_pool3d(x, 3, 2, 1, ceil_mode=True)", **X3),
                   S("F.max_pool3d(x, (1, 2, 3), 1, 0, (1, 2, 1))", **X3), S("F.max_pool3d(x, 2)", x="f(2, 4, 4, 4)"),
                   S("F.max_pool3d(x, 2)", x="f(0, 2, 4, 4, 4)"), S(f"F.max_pool3d(x{LAST_3D}, 2)", **X3),
                   S("F.max_pool3d(x.mT, 2)", **X3), S("F.max_pool3d(x, 2)", x="i(1, 2, 4, 4, 4)"),
                   S("F.max_pool3d(x, 2)", x="b(1, 2, 4, 4, 4)"), S("F.max_pool3d(x, 2)", x="f(4, 4, 4)"),
                   S("F.max_pool3d(x, 2)", x="f(1, 2, 0, 4, 4)"), S("F.max_pool3d(x, 2)", x="f(1, 0, 4, 4, 4)"),
                   *[S(f"{A}.max_pool3d(x, {window})", **X3) for window in REFUSED]],
    "max_pool3d_with_indices": [S("F.max_pool3d(x, 3, 2, 1, return_indices=True)", **X3),
                                S("F.max_pool3d_with_indices(x, 2)", **X3)],
    "max_pool3d_with_indices_backward": [
        S(f"{A}.max_pool3d_with_indices_backward(g, x, [2], [2], [0], [1], False, i_)", g="f(2, 2, 2, 2, 2)",
          x="f(2, 2, 4, 4, 4)", i_="i(2, 2, 2, 2, 2, high=64)"),
        S(f"{A}.max_pool3d_with_indices_backward(g, x, [2], [2], [0], [1], False, i_)", g="f(2, 2, 2, 2, 2)",
          x="f(2, 2, 4, 4, 4)", i_="i(2, 2, 2, 2, 1, high=64)")],
}
