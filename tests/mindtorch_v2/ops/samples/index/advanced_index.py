"""Positions and masks."""

from .. import S

SAMPLES = {
    "index.Tensor": [S("x[i]", x="f(5, 3)", i="i(4)"), S("x[:, i]", x="f(2, 5)", i="i(2, 2)"),
                     S("x[i, :, j]", x="f(5, 2, 5)", i="i(3)", j="i(3)"), S("x[m]", x="f(3, 4)", m="b(3, 4)"),
                     S("x[m]", x="f(3, 4)", m="b(3)"), S("x[i, j]", x="f(5, 5)", i="i(2, 1)", j="i(3)"),
                     S("x[i]", x="f(3)", i="i(4, low=3)"), S("x[m]", x="f(3)", m="b(2)"),
                     S("x[y]", x="f(3)", y="f(2)")],
    "_index_put_impl_": [
        S("torch.ops.aten._index_put_impl_(x * 1, (i,), y, True)", x="f(5, 3)", i="i(4)", y="f(4, 3)")],
    "index_put_": [S("(x * 1).index_put_((i,), y)", x="f(5, 3)", i="i(1)", y="f(3)"),
                   S("(x * 1).index_put_((i, j), y, accumulate=True)", x="f(5, 5)", i="i(3)", j="i(3)", y="f(3)"),
                   S("(x * 1).index_put_((m,), y)", x="f(3, 4)", m="b(3, 4)", y="f(1)[0]"),
                   S("(x * 1).index_put_((i,), y)", x="f(5, 3)", i="i(2)", y="d(3)"),
                   S("(x * 1).index_put_((i,), y)", x="f(5, 3)", i="i(2)", y="f(4)")],
    "index_put": [S("x.index_put((i,), y)", x="f(5, 3)", i="i(1)", y="f(1, 3)"),
                  S("torch.index_put(x, (i,), y, True)", x="f(5)", i="i(4)", y="f(4)")],
    "nonzero": [S("x.nonzero()", x="b(3, 4)"), S("torch.nonzero(x)", x="i(5, high=2)")],
    "nonzero_numpy": [S("torch.nonzero(x, as_tuple=True)", x="b(3, 4)")],
    "argwhere": [S("torch.argwhere(x)", x="b(3, 4)")],
}
