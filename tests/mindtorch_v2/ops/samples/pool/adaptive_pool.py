"""The input shared out among a given number of outputs."""

from .. import S

X1, X2, X3 = {"x": "f(2, 3, 9)"}, {"x": "f(2, 3, 5, 7)"}, {"x": "f(2, 2, 4, 5, 6)"}
LAST = ".contiguous(memory_format=torch.channels_last)"
LAST_3D = ".contiguous(memory_format=torch.channels_last_3d)"
A = "torch.ops.aten"


def _family(op: str, rank: int, whole: dict) -> list:
    """Calls that a pooling over so many dimensions gets, and some that it refuses."""
    sizes = "4, 5, 6"[3 * (3 - rank):]
    return [S(f"F.{op}(x, {(2, 3, 4)[:rank] if rank > 1 else 4})", **whole), S(f"F.{op}(x, 1)", **whole),
            S(f"F.{op}(x, 9)", **whole), S(f"F.{op}(x, 2)", x=f"f(3, {sizes})"),
            S(f"F.{op}(x, 2)", x=f"f(0, 3, {sizes})"), S(f"F.{op}(x, 0)", **whole), S(f"F.{op}(x, -1)", **whole),
            S(f"F.{op}(x.mT, 2)", **whole),
            *[S(f"F.{op}(x, 2)", x=f"h(1, 2, {sizes})")] * (op != "adaptive_avg_pool3d"),  # docs/DIFFERENCES.md
            S(f"F.{op}(x, 2)", x=f"i(1, 2, {sizes})"), S(f"F.{op}(x, 1)", x=f"i(1, 2, {sizes})"),
            S(f"F.{op}(x, 2)", x=f"f({sizes})"), S(f"F.{op}(x, 2)", x=f"f(1, 1, 1, {sizes})"),
            S(f"F.{op}(x, 2)", x=f"f(1, 0, {sizes})"), S(f"F.{op}(x[..., :0], 2)", **whole),
            S(f"{A}.{op}(x, [2] * 4)", **whole)]


SAMPLES = {
    "adaptive_avg_pool1d": _family("adaptive_avg_pool1d", 1, X1),
    "adaptive_avg_pool2d": [*_family("adaptive_avg_pool2d", 2, X2), S(f"F.adaptive_avg_pool2d(x{LAST}, 2)", **X2),
                            S(f"F.adaptive_avg_pool2d(x{LAST}, 1)", **X2),
                            S("F.adaptive_avg_pool2d(x, (None, 2))", **X2)],
    "_adaptive_avg_pool2d": [S("torch._adaptive_avg_pool2d(x, (2, 3))", **X2),
                             S("torch._adaptive_avg_pool2d(x, (2, 3, 4))", **X2)],
    "_adaptive_avg_pool2d_backward": [
        S(f"{A}._adaptive_avg_pool2d_backward(g, x)", g="f(2, 3, 2, 3)", x="f(2, 3, 5, 7)"),
        S(f"{A}._adaptive_avg_pool2d_backward(g.mT, x.mT)", g="f(3, 2, 3)", x="f(3, 5, 7)"),
        S(f"{A}._adaptive_avg_pool2d_backward(g, x)", g="d(2, 3, 2, 3)", x="f(2, 3, 5, 7)"),
        S(f"{A}._adaptive_avg_pool2d_backward(g, x)", g="f(2, 3, 2, 0)", x="f(2, 3, 5, 7)"),
        S(f"{A}._adaptive_avg_pool2d_backward(g, x)", g="f(2, 3)", x="f(2, 3, 5, 7)")],
    "adaptive_avg_pool3d": [*_family("adaptive_avg_pool3d", 3, X3), S(f"F.adaptive_avg_pool3d(x{LAST_3D}, 2)", **X3),
                            S(f"F.adaptive_avg_pool3d(x{LAST_3D}, 1)", **X3)],
    "_adaptive_avg_pool3d": [S("torch._adaptive_avg_pool3d(x, (2, 3, 1))", **X3)],
    "_adaptive_avg_pool3d_backward": [
        S(f"{A}._adaptive_avg_pool3d_backward(g, x)", g="f(2, 2, 2, 3, 1)", x="f(2, 2, 4, 5, 6)"),
        S(f"{A}._adaptive_avg_pool3d_backward(g, x)", g="f(2, 2, 2, 3)", x="f(2, 2, 4, 5, 6)")],
    "adaptive_max_pool1d": [*_family("adaptive_max_pool1d", 1, X1),
                            S("F.adaptive_max_pool1d(x, 2, return_indices=True)", **X1)],
    "adaptive_max_pool2d": [*_family("adaptive_max_pool2d", 2, X2),
                            S("F.adaptive_max_pool2d(x, 2, return_indices=True)", **X2),
                            S(f"F.adaptive_max_pool2d(x{LAST}, 2, return_indices=True)", **X2)],
    "adaptive_max_pool2d_backward": [
        S(f"{A}.adaptive_max_pool2d_backward(g, x, i_)", g="f(2, 3, 2, 2)", x="f(2, 3, 4, 4)",
          i_="i(2, 3, 2, 2, high=16)"),
        S(f"{A}.adaptive_max_pool2d_backward(g, x, i_)", g="f(2, 3)", x="f(2, 3, 4, 4)", i_="i(2, 3, high=16)"),
        S(f"{A}.adaptive_max_pool2d_backward(g, x, i_)", g="d(2, 3, 2, 2)", x="f(2, 3, 4, 4)",
          i_="i(2, 3, 2, 2, high=16)")],
    "adaptive_max_pool3d": [*_family("adaptive_max_pool3d", 3, X3),
                            S("F.adaptive_max_pool3d(x, 2, return_indices=True)", **X3),
                            S(f"F.adaptive_max_pool3d(x{LAST_3D}, 2)", **X3)],
    "adaptive_max_pool3d_backward": [
        S(f"{A}.adaptive_max_pool3d_backward(g, x, i_)", g="f(2, 2, 2, 2, 2)", x="f(2, 2, 4, 4, 4)",
          i_="i(2, 2, 2, 2, 2, high=64)")],
}
