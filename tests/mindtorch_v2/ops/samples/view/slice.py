"""Parts of a tensor, and the way back."""

from .. import S

SAMPLES = {
    "select.int": [S("x.select(0, 1)", x="f(3, 4)"), S("torch.select(x, -1, -2)", x="f(3, 4)"),
                   S("x.select(0, 3)", x="f(3, 4)"), S("x.select(0, 0)", x="f(1)[0]")],
    "select_backward": [S("torch.ops.aten.select_backward(g, (3, 4), 0, 1)", g="f(4)")],
    "slice.Tensor": [S("x[1:]", x="f(3, 4)"), S("x[:, ::2]", x="f(3, 4)"), S("x[:]", x="f(3)"), S("x[2:1]", x="f(3)"),
                     S("torch.ops.aten.slice(x, 1, 1, 3, 1)", x="f(3, 4)")],
    "slice_backward": [S("torch.ops.aten.slice_backward(g, (3, 4), 1, 1, 3, 1)", g="f(3, 2)")],
    "narrow": [S("x.narrow(0, 1, 2)", x="f(3, 4)"), S("torch.narrow(x, 1, -2, 2)", x="f(3, 4)"),
               S("x.narrow(0, 1, 3)", x="f(3, 4)"), S("x.narrow(0, 4, 1)", x="f(3, 4)")],
    "narrow.Tensor": [S("x.narrow(1, i, 2)", x="f(3, 4)", i="i(1, high=2)[0]")],
    "diagonal": [S("x.diagonal()", x="f(3, 4)"), S("x.diagonal(-1)", x="f(3, 4)"),
                 S("torch.diagonal(x, 1, -2, -1)", x="f(2, 3, 4)"), S("x.diagonal(0, 1, 1)", x="f(3, 4)")],
    "diagonal_backward": [S("torch.ops.aten.diagonal_backward(g, (3, 4), 1, 0, 1)", g="f(3)")],
    "unfold": [S("x.unfold(1, 2, 2)", x="f(3, 4)"), S("x.unfold(0, 2, 1)", x="f(3, 4)"),
               S("x.unfold(1, 5, 1)", x="f(3, 4)")],
    "unfold_backward": [S("torch.ops.aten.unfold_backward(g, (6,), 0, 2, 2)", g="f(3, 2)"),
                        S("torch.ops.aten.unfold_backward(g, (2, 9, 2), 1, 4, 2)", g="f(2, 3, 2, 4)"),
                        S("torch.ops.aten.unfold_backward(g, (2, 9), -1, 3, 1)", g="f(3, 7, 2).permute(2, 1, 0)")],
}
