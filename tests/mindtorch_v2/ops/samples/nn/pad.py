"""Borders of one number, and of the other side."""

from .. import S

X = {1: "f(2, 3, 5)", 2: "f(2, 3, 5, 6)", 3: "f(2, 2, 3, 4, 5)"}
LAST = {1: "", 2: ".contiguous(memory_format=torch.channels_last)",
        3: ".contiguous(memory_format=torch.channels_last_3d)"}
# Borders from the last dimension on; torch refuses some of them.
BORDERS = {1: ["(1, 2)", "(0, 0)", "(-1, 2)", "(-1, -1)", "(5, 0)", "(6, 0)", "(-3, -3)"],
           2: ["(1, 2, 3, 0)", "(-1, 2, 1, -2)", "(6, 0, 0, 0)", "(7, 0, 1, 1)", "(-3, -4, 0, 0)"],
           3: ["(1, 2, 3, 0, 1, 2)", "(-1, 2, 1, -2, 0, 1)", "(0, 0, 0, 0, 3, 0)", "(6, 0, 0, 0, 0, 0)"]}
VIEWS = ["x[0]", "x[:0]", "x[:, :0]", "x[..., :0]", "x.mT", "x.bfloat16()", "x.int()", "x.bool()", "x[0, 0]", "x[None]"]
A = "torch.ops.aten"


def rows(mode: str) -> list:
    """F.pad in a mode: borders, and inputs of many kinds."""
    samples = [S(f"F.pad(x, {border}, {mode!r})", x=X[rank]) for rank in X for border in BORDERS[rank]]
    samples += [S(f"F.pad({view}, {BORDERS[rank][0]}, {mode!r})", x=X[rank])
                for rank in X for view in (*VIEWS, f"x{LAST[rank]}")]
    return samples + [S(f"F.pad(x, (1, 2), {mode!r})", x="c(2, 3, 5)")]


SAMPLES = {
    "pad": [S("F.pad(x, (1, 2))", x="f(2, 3)"), S("F.pad(x, (1,))", x="f(2, 3)"),
            S("F.pad(x, (1, 1), 'nope')", x="f(2, 3)"), S("F.pad(x, (1, 2), 'reflect', 0.0)", x=X[1]),
            S("F.pad(x, (1, 2), 'circular', 1.5)", x=X[1]), S("F.pad(x, (), 'reflect')", x=X[1]),
            *[S(f"nn.Conv{rank}d({x[5]}, 2, 3, padding=1, padding_mode={mode!r})(x)", x=x)
              for rank, x in X.items() for mode in ("reflect", "replicate", "circular")],
            S("F.pad(x, (1,) * 8)", x=X[1]), S("F.pad(x, (1,) * 8, 'replicate')", x=X[2])],
    "_pad_enum": [S(f"{A}._pad_enum(x, (1, 2), {mode})", x=X[1]) for mode in range(4)],
    "constant_pad_nd": [S("F.pad(x, (1, 0, 2, 1), value=3.)", x="f(2, 3)"), S("F.pad(x, (-1, 1))", x="f(2, 3)"),
                        S("torch.constant_pad_nd(x, (0, -1))", x="f(2, 3)"),
                        S("torch.constant_pad_nd(x, (1, 2, 1), 3.)", x=X[1]),
                        S("torch.constant_pad_nd(x, (1,) * 8, 3.)", x=X[1]), *rows("constant")],
    "constant_pad_nd.out": [S(f"{A}.constant_pad_nd.out(x, (1, 2), 3., out=torch.empty(0))", x=X[1])],
    "_pad_circular": rows("circular"),
}
