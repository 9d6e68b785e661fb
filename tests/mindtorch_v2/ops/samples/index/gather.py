"""One position for every element."""

from .. import S

SAMPLES = {
    "gather": [S("x.gather(1, i)", x="f(3, 5)", i="i(3, 2)"), S("torch.gather(x, 0, i)", x="f(5, 4)", i="i(2, 3)"),
               S("x.gather(1, i)", x="f(3, 2)", i="i(3, 2, low=2)"), S("x.gather(1, i)", x="f(3, 5)", i="i(3)"),
               S("x.gather(1, i)", x="f(3, 5)", i="i(4, 2)")],
    "gather.out": [S("torch.gather(x, 1, i, out=o)", x="f(3, 5)", i="i(3, 2)", o="f(3, 2)")],
    "scatter.src_out": [S("torch.scatter(x, 0, i, y, out=o)", x="f(5, 3)", i="i(1, 3)", y="f(1, 3)", o="f(5, 3)")],
    "scatter.value_out": [S("torch.scatter(x, 1, i, 2., out=o)", x="f(3, 5)", i="i(3, 2)", o="f(3, 5)")],
    "scatter_add.out": [S("torch.scatter_add(x, 0, i, y, out=o)", x="f(5, 3)", i="i(4, 3)", y="f(4, 3)", o="f(5, 3)")],
    "gather_backward": [S("torch.ops.aten.gather_backward(g, x, 1, i, False)", g="f(3, 2)", x="f(3, 5)", i="i(3, 2)")],
    "scatter_.src": [S("(x * 1).scatter_(0, i, y)", x="f(5, 3)", i="i(1, 3)", y="f(2, 3)"),
                     S("(x * 1).scatter_(0, i, y)", x="f(5, 3)", i="i(2, 3)", y="f(1, 3)"),
                     S("(x * 1).scatter_(0, i, y)", x="f(5, 3)", i="i(1, 3)", y="d(1, 3)")],
    "scatter_.value": [S("(x * 1).scatter_(1, i, 7.)", x="f(3, 5)", i="i(3, 2)")],
    "scatter.src": [S("x.scatter(0, i, y)", x="f(5, 3)", i="i(1, 3)", y="f(1, 3)")],
    "scatter.value": [S("torch.scatter(x, 1, i, 2)", x="f(3, 5)", i="i(3, 2)")],
    "scatter.reduce": [S("x.scatter(1, i, y, reduce='add')", x="i(3, 5)", i="i(3, 4)", y="i(3, 4)")],
    "scatter.value_reduce": [S("x.scatter(1, i, 3, reduce='multiply')", x="f(3, 5)", i="i(3, 2)")],
    "scatter_.reduce": [S("x.scatter_(1, i, y, reduce='add')", x="i(3, 5)", i="i(3, 4)", y="i(3, 4)")],
    "scatter_.value_reduce": [S("x.scatter_(1, i, 3, reduce='multiply')", x="i(3, 5)", i="i(3, 2)")],
    "scatter_add_": [S("(x * 1).scatter_add_(1, i, y)", x="f(3, 5)", i="i(3, 4)", y="f(3, 4)")],
    "scatter_add": [S("x.scatter_add(0, i, y)", x="f(5, 3)", i="i(4, 3)", y="f(4, 3)")],
    "take_along_dim": [S("torch.take_along_dim(x, i, 1)", x="f(3, 5)", i="i(3, 2)"),
                       S("x.take_along_dim(i, 0)", x="f(5, 3)", i="i(2, 1)"),
                       S("torch.take_along_dim(x, i)", x="f(3, 2)", i="i(4)")],
    "one_hot": [S("F.one_hot(i)", i="i(4)"), S("F.one_hot(i, 6)", i="i(2, 2)"), S("F.one_hot(i, 2)", i="i(2, low=3)")],
}
