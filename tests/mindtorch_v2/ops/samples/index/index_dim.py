"""Slices by index."""

from .. import S

SAMPLES = {
    "index_fill_.int_Tensor": [S("(x * 1).index_fill_(0, i, v)", x="f(5, 3)", i="i(2)", v="f(1)[0]")],
    "index_fill_.int_Scalar": [S("(x * 1).index_fill_(1, i, 3.)", x="f(2, 5)", i="i(2)"),
                               S("(x * 1).index_fill_(0, i, 3.)", x="f(2, 5)", i="i(2, low=3)")],
    "index_fill.int_Tensor": [S("x.index_fill(0, i, v)", x="f(5, 3)", i="i(2)", v="f(1)[0]")],
    "index_fill.int_Scalar": [S("torch.index_fill(x, 0, i, 3.)", x="f(5, 3)", i="i(2)")],
    "index_copy_": [S("(x * 1).index_copy_(0, i, y)", x="f(5, 3)", i="i(1)", y="f(1, 3)")],
    "index_copy": [S("x.index_copy(1, i, y)", x="f(2, 5)", i="i(1)", y="f(2, 1)")],
    "index_add_": [S("(x * 1).index_add_(0, i, y)", x="f(5, 3)", i="i(4)", y="f(4, 3)"),
                   S("(x * 1).index_add_(1, i, y, alpha=2)", x="f(2, 5)", i="i(3)", y="f(2, 3)"),
                   S("(x * 1).index_add_(0, i, y)", x="f(5, 3)", i="i(4)", y="f(3, 3)")],
    "index_add": [S("torch.index_add(x, 0, i, y)", x="f(5, 3)", i="i(4)", y="f(4, 3)"),
                  S("x.index_add(0, i, y)", x="f(5)", i="i(3)", y="f(3)"),
                  S("x.index_add(0, i, y, alpha=-1)", x="i(5).to(torch.uint8)", i="i(4)",
                    y="i(4).to(torch.uint8)")],
    "index_copy.out": [S("torch.index_copy(x, 1, i, y, out=o)", x="f(2, 5)", i="i(1)", y="f(2, 1)", o="f(2, 5)")],
    "index_add.out": [S("torch.index_add(x, 0, i, y, out=o)", x="f(5)", i="i(3)", y="f(3)", o="f(5)")],
    "take": [S("x.take(i)", x="f(3, 4)", i="i(2, 2, high=12)"), S("torch.take(x, i)", x="f(3)", i="i(2, low=3)")],
    "put_": [S("(x * 1).put_(i, y)", x="f(3, 4)", i="i(1, high=12)", y="f(1)"),
             S("(x * 1).put_(i, y, accumulate=True)", x="f(3, 4)", i="i(6)", y="f(6)")],
    "put": [S("x.put(i, y)", x="f(3, 4)", i="i(1)", y="f(1)"), S("x.put(i, y)", x="f()", i="i() * 0", y="f()")],
}
