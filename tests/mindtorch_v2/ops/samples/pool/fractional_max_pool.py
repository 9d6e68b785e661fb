"""The largest elements of windows that begin where random numbers put them."""

from .. import S

X2, X3 = {"x": "f(2, 3, 8, 9)"}, {"x": "f(2, 2, 6, 5, 7)"}
R2, R3 = {**X2, "r": "pos(2, 3, 2) / 2.1"}, {**X3, "r": "pos(2, 2, 3) / 2.1"}
A = "torch.ops.aten"

SAMPLES = {
    "fractional_max_pool2d": [
        S("F.fractional_max_pool2d(x, 2, (3, 4))", **X2), S("F.fractional_max_pool2d(x, (2, 3), 3)", x="f(3, 8, 9)"),
        S("F.fractional_max_pool2d(x, 2, output_ratio=(0.5, 0.4), return_indices=True)", **X2),
        S("F.fractional_max_pool2d(x, 2)", **X2), S("F.fractional_max_pool2d(x, 2, output_ratio=0.5)", **X2),
        S("F.fractional_max_pool2d(x.mT, 2, 3)", **X2), S("F.fractional_max_pool2d(x, 2, 3)", x="f(0, 3, 8, 9)"),
        S(f"{A}.fractional_max_pool2d(x, [2, 2], [3, 3], r.detach())", **R2),
        S(f"{A}.fractional_max_pool2d(x, [2, 2], [3, 3], r)", **R2),
        S(f"{A}.fractional_max_pool2d(x, [2] * 3, [3, 3], r.detach())", **R2),
        S(f"{A}.fractional_max_pool2d(x, [2, 2], [3] * 3, r.detach())", **R2),
        S(f"{A}.fractional_max_pool2d(x, [2, 2], [8, 8], r.detach())", **R2),
        S(f"{A}.fractional_max_pool2d(x[0, 0], [2, 2], [3, 3], r.detach())", **R2),
        S(f"{A}.fractional_max_pool2d(x[:, :, :0], [2, 2], [3, 3], r.detach())", **R2),
        *[S(f"{A}.fractional_max_pool2d(x, [2, 2], [3, 3], r{cut}.detach())", **R2)
          for cut in ("[:1]", "[:, :2]", "[:, :, :1]", "[0]", ".double()")],
        S(f"{A}.fractional_max_pool2d(x, [2, 2], [3, 3], x)", x="i(2, 3, 2)")],
    "fractional_max_pool2d_backward": [
        S(f"{A}.fractional_max_pool2d_backward(g, x, [2, 2], [2, 2], i_)", g="f(2, 3, 2, 2)", x="f(2, 3, 4, 4)",
          i_="i(2, 3, 2, 2, high=16)")],
    "fractional_max_pool3d": [
        S("F.fractional_max_pool3d(x, 2, (3, 2, 4))", **X3), S("F.fractional_max_pool3d(x, 2, 3)", x="f(2, 6, 5, 7)"),
        S("F.fractional_max_pool3d(x, 2, output_ratio=(0.5, 0.4, 0.5), return_indices=True)", **X3),
        S("F.fractional_max_pool3d(x, 2)", **X3), S("F.fractional_max_pool3d(x.mT, 2, 3)", **X3),
        S(f"{A}.fractional_max_pool3d(x, [2] * 3, [3] * 3, r.detach())", **R3),
        S(f"{A}.fractional_max_pool3d(x, [2] * 2, [3] * 3, r.detach())", **R3),
        S(f"{A}.fractional_max_pool3d(x, [2] * 3, [6] * 3, r.detach())", **R3),
        S(f"{A}.fractional_max_pool3d(x[0, 0], [2] * 3, [3] * 3, r.detach())", **R3),
        *[S(f"{A}.fractional_max_pool3d(x, [2] * 3, [3] * 3, r{cut}.detach())", **R3)
          for cut in ("[:1]", "[:, :1]", "[:, :, :1]", "[0]", ".double()")]],
    "fractional_max_pool3d_backward": [
        S(f"{A}.fractional_max_pool3d_backward(g, x, [2] * 3, [2] * 3, i_)", g="f(2, 2, 2, 2, 2)",
          x="f(2, 2, 4, 4, 4)", i_="i(2, 2, 2, 2, 2, high=64)")],
}
