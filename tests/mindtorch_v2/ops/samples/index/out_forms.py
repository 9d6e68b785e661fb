"""Picked elements written into given tensors."""

from .. import S

_OUT = {"v": "torch.empty(0)"}

SAMPLES = {
    "index_select.out": [S("torch.index_select(x, 0, n, out=v)", x="f(3, 4)", n="i(5, high=3)", **_OUT),
                         S("torch.index_select(x, 1, n, out=v)", x="f(3, 4)", n="i(2, high=3)", **_OUT)],
    "masked_select.out": [S("torch.masked_select(x, m, out=v)", x="f(3, 4)", m="b(3, 4)", **_OUT),
                          S("torch.masked_select(x, m, out=v)", x="f(3, 4)", m="b(4)", **_OUT)],
    "nonzero.out": [S("torch.nonzero(x, out=v)", x="b(3, 4)", v="torch.empty(0, dtype=torch.int64)"),
                    S("torch.nonzero(x, out=v)", x="f()", v="torch.empty(0, dtype=torch.int64)")],
    "take.out": [S("torch.take(x, n, out=v)", x="f(3, 4)", n="i(2, 2)", **_OUT)],
    "take_along_dim.out": [S("torch.take_along_dim(x, n, 1, out=v)", x="f(3, 4)", n="i(3, 2, high=3)", **_OUT),
                           S("torch.take_along_dim(x, n, out=v)", x="f(3, 4)", n="i(5)", **_OUT)],
    "scatter.reduce_out": [S("torch.scatter(x, 1, n, y, reduce='add', out=v)", x="f(3, 4)", n="i(3, 2, high=3)",
                             y="f(3, 2)", **_OUT)],
    "scatter.value_reduce_out": [S("torch.scatter(x, 1, n, 2.0, reduce='multiply', out=v)", x="f(3, 4)",
                                   n="i(3, 2, high=3)", **_OUT)],
}
