"""Signals, images and volumes of another size."""

from .. import S

A = "torch.ops.aten"
LAST = ".contiguous(memory_format=torch.channels_last)"
LAST_3D = ".contiguous(memory_format=torch.channels_last_3d)"
X = {1: "f(2, 3, 5)", 2: "f(2, 3, 5, 6)", 3: "f(2, 2, 3, 4, 5)"}
# What an input may be besides a tensor in order.
VIEWS = {1: ["x.mT", "x[:0]", "x[:, :0]"], 2: ["x.mT", "x[:0]", "x[:, :0]", f"x{LAST}", f"x{LAST}[:, :2]"],
         3: ["x.mT", "x[:0]", f"x{LAST_3D}"]}
SIZES = {1: ["8", "3", "5"], 2: ["(8, 9)", "(3, 2)", "(10, 12)"], 3: ["(5, 6, 7)", "(2, 3, 2)"]}
TYPES = ["half", "bfloat16", "byte", "int"]
# The op, the mode it computes, its dimensions, whether corners can be aligned.
MODES = [*[(f"upsample_nearest{rank}d", "nearest", rank, False) for rank in (1, 2, 3)],
         *[(f"_upsample_nearest_exact{rank}d", "nearest-exact", rank, False) for rank in (1, 2, 3)],
         ("upsample_linear1d", "linear", 1, True), ("upsample_bilinear2d", "bilinear", 2, True),
         ("upsample_bicubic2d", "bicubic", 2, True), ("upsample_trilinear3d", "trilinear", 3, True)]
SMOOTH = [("_upsample_bilinear2d_aa", "bilinear"), ("_upsample_bicubic2d_aa", "bicubic"),
          ("_upsample_lanczos2d_aa", "lanczos")]


def of_mode(mode: str, rank: int, corners: bool) -> list:
    """F.interpolate: sizes, factors, layouts, types."""
    sample = f"F.interpolate({{}}, {{}}, mode={mode!r})"
    rows = [S(sample.format("x", size), x=X[rank]) for size in SIZES[rank]]
    rows += [S(sample.format("x", f"scale_factor={factor}"), x=X[rank]) for factor in ("1.7", "0.6", "2.2")]
    rows.append(S(sample.format("x", "scale_factor=1.7, recompute_scale_factor=True"), x=X[rank]))
    rows += [S(sample.format(view, SIZES[rank][0]), x=X[rank]) for view in VIEWS[rank]]
    rows += [S(sample.format(f"x.{dtype}()", SIZES[rank][0]), x=X[rank]) for dtype in TYPES]
    if corners:
        rows += [S(sample.format("x", f"{size}, align_corners=True"), x=X[rank]) for size in SIZES[rank][:2]]
    if rank == 2:  # torch's loops differ for large results and for many channels
        rows += [S(sample.format(f"x{layout}", "(127, 2)"), x=f"f(1, {channels}, 4, 3)")
                 for channels in (1, 3, 4) for layout in ("", LAST)]
    if rank == 3:
        rows.append(S(sample.format(f"x{LAST_3D}", "(5, 6, 7)"), x="f(2, 5, 3, 4, 5)"))
    return rows


def smooth(mode: str) -> list:
    """The same with antialias."""
    sample = f"F.interpolate({{}}, {{}}, mode={mode!r}, antialias=True)"
    rows = [S(sample.format("x", size), x=X[2]) for size in ("(8, 9)", "(3, 2)", "(5, 9)", "(4, 6)", "(5, 6)")]
    rows += [S(sample.format("x", f"scale_factor={factor}"), x=X[2]) for factor in ("1.7", "(0.4, 3)")]
    rows += [S(sample.format(view, "(4, 9)"), x=X[2]) for view in VIEWS[2]]
    return rows + [S(sample.format(f"x.{dtype}()", "(4, 9)"), x=X[2]) for dtype in ("half", "int")]


def of_bytes(mode: str, antialias: bool) -> list:
    """Images of bytes, whose channels are packed or not."""
    sample = f"F.interpolate({{}}, {{}}, mode={mode!r}, antialias={antialias})"
    rows = [S(sample.format(f"x.byte(){view}", "(9, 4)"), x=f"i(2, {channels}, 7, 6, high=255)")
            for channels in (1, 3, 5) for view in ("", LAST, ".mT", "[:0]")]
    return rows + [S(sample.format("x.byte()", size), x="i(2, 3, 7, 6, high=255)")
                   for size in ("(7, 9)", "(4, 6)", "(7, 6)", "scale_factor=(1.7, 0.6)")]


def direct(name: str, rank: int, corners: bool) -> dict:
    """The ops as ``torch.ops`` has them, with what they refuse."""
    more, scales = ", False" * corners, ", 1.5" * rank
    given, wanted, sizes = {1: ("(2, 3, 5)", "(8,)", "(2, 3, 4)"), 2: ("(2, 3, 5, 6)", "(8, 9)", "(2, 3, 4, 3)"),
                            3: ("(2, 2, 3, 4, 5)", "(5, 6, 7)", "(2, 2, 2, 3, 3)")}[rank]
    x, one = {"x": f"f{given}"}, "(4,)" if rank > 1 else "(4, 4)"
    g, fit = {"g": f"f{given}"}, f"({given[1:-1].split(', ', 2)[2]},)"
    return {
        name: [S(f"{A}.{name}(x, {wanted}{more})", **x), S(f"{A}.{name}(x, {wanted}{more}{scales})", **x),
               S(f"{A}.{name}(x, {one}{more})", **x), S(f"{A}.{name}(x[0], {wanted}{more})", **x),
               S(f"{A}.{name}(x, {wanted.replace(wanted[1], '0', 1)}{more})", **x)],
        f"{name}.vec": [S(f"{A}.{name}.vec(x, None{more}, None)", **x),
                        S(f"{A}.{name}.vec(x, {one}{more}, None)", **x),
                        S(f"{A}.{name}.vec(x, None{more}, (2.,) * {rank + 1})", **x)],
        f"{name}.out": [S(f"{A}.{name}.out(x, {wanted}{more}, out=torch.empty(0))", **x),
                        S(f"{A}.{name}.out(x, {wanted}{more}, out=torch.empty(0, dtype=torch.double))", **x)],
        f"{name}_backward": [
            S(f"{A}.{name}_backward(g, {fit}, {sizes}{more})", **g),
            S(f"{A}.{name}_backward(g, {fit}, {sizes}{more}{scales})", **g),
            S(f"{A}.{name}_backward(g, {wanted}, {sizes}{more})", **g),
            S(f"{A}.{name}_backward(g[0], {fit}, {sizes}{more})", **g),
            S(f"{A}.{name}_backward(g, {fit}, {sizes[:-1]}, 1){more})", **g),
            S(f"{A}.{name}_backward(g.byte(), {fit}, {sizes}{more})", **g),
            S(f"{A}.{name}_backward(g.mT.contiguous().mT, {fit}, {sizes}{more})", **g)],
        f"{name}_backward.grad_input": [
            S(f"{A}.{name}_backward.grad_input(g, {fit}, {sizes}{more}, grad_input=torch.empty(0))", **g)],
    }


SAMPLES = {}
for _name, _mode, _rank, _corners in MODES:
    SAMPLES |= direct(_name, _rank, _corners)
    SAMPLES[f"{_name}.vec"] += of_mode(_mode, _rank, _corners)
    if _name in ("upsample_bilinear2d", "upsample_bicubic2d"):
        SAMPLES[f"{_name}.vec"] += of_bytes(_mode, False)
for _name, _mode in SMOOTH:
    SAMPLES |= direct(_name, 2, True)
    SAMPLES[f"{_name}.vec"] += smooth(_mode) + of_bytes(_mode, True)
for _name, _more in (("upsample_nearest2d", ""), ("upsample_bilinear2d", ", True")):
    SAMPLES[f"{_name}.vec_out"] = [S(f"{A}.{_name}.vec_out(x, (8, 9){_more}, None, out=torch.empty(0))", x=X[2])]
