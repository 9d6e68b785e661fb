"""The same elements in another place."""

from .. import S

SAMPLES = {
    "flip": [S("x.flip(0)", x="f(3, 4)"), S("torch.flip(x, (0, -1))", x="f(3, 4)"), S("x.flip(())", x="f(3)"),
             S("x.flip(0, 0)", x="f(3)")],
    "fliplr": [S("x.fliplr()", x="f(3, 4)")],
    "flipud": [S("torch.flipud(x)", x="f(3, 4)")],
    "rot90": [S("x.rot90()", x="f(3, 4)"), S("torch.rot90(x, 2, (0, 1))", x="f(3, 4)"), S("x.rot90(4)", x="f(3, 4)"),
              S("x.rot90(1, (0, 0))", x="f(3, 4)")],
    "roll": [S("x.roll(1)", x="f(3, 4)"), S("x.roll((1, -1), (0, 1))", x="f(3, 4)"),
             S("torch.roll(x, 2, 0)", x="f(3, 4)"), S("x.roll((1, 2))", x="f(3)")],
    "repeat": [S("x.repeat(2, 3)", x="f(2, 2)"), S("x.repeat(2, 1, 2)", x="f(2, 2)"), S("x.repeat(2)", x="f(2, 2)")],
    "tile": [S("x.tile((2,))", x="f(2, 2)"), S("torch.tile(x, (2, 1, 1))", x="f(2)")],
    "repeat_interleave.Tensor": [S("torch.repeat_interleave(r)", r="i(3, high=3)")],
    "repeat_interleave.self_Tensor": [S("x.repeat_interleave(r, 0)", x="f(3, 2)", r="i(3, high=3)")],
    "repeat_interleave.self_int": [S("x.repeat_interleave(2)", x="f(2, 2)"),
                                   S("torch.repeat_interleave(x, 3, dim=1)", x="f(2, 2)")],
    "tril": [S("x.tril()", x="f(3, 4)"), S("torch.tril(x, 1)", x="f(2, 3, 3)"), S("x.tril()", x="f(3)")],
    "tril_": [S("(x * 1).tril_(-1)", x="f(3, 3)")],
    "tril.out": [S("torch.tril(x, out=y)", x="f(3, 3)", y="f(3, 3)")],
    "triu": [S("x.triu()", x="f(3, 4)"), S("torch.triu(x, -1)", x="f(3, 3)")],
    "triu_": [S("(x * 1).triu_(1)", x="f(3, 3)")],
    "triu.out": [S("torch.triu(x, out=y)", x="f(3, 3)", y="f(3, 3)")],
    "meshgrid": [S("torch.ops.aten.meshgrid([x, y])", x="f(2)", y="f(3)")],
    "meshgrid.indexing": [S("torch.meshgrid(x, y, indexing='ij')", x="f(2)", y="f(3)"),
                          S("torch.meshgrid(x, y, indexing='xy')", x="f(2)", y="f(3)"),
                          S("torch.meshgrid(x, indexing='zz')", x="f(2)")],
}
