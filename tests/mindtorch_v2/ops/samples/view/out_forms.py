"""Joined tensors written into given ones."""

from .. import S

_IN = {"x": "f(2, 3)", "y": "f(2, 3)", "v": "torch.empty(0)"}

SAMPLES = {
    "_chunk_cat.out": [S("torch._chunk_cat([x, y], 0, 2, out=v)", **_IN)],
    "slice_scatter.out": [S("torch.slice_scatter(x, y, 1, 1, 3, out=v)", x="f(3, 4)", y="f(3, 2)", v="torch.empty(0)")],
    "concat.out": [S("torch.concat((x, y), out=v)", **_IN), S("torch.concat((x, y), 1, out=v)", **_IN)],
    "concatenate.out": [S("torch.concatenate((x, y), 1, out=v)", **_IN)],
    "hstack.out": [S("torch.hstack((x, y), out=v)", **_IN),
                   S("torch.hstack((x, y), out=v)", x="f(2)", y="f()", v="torch.empty(0)")],
    "vstack.out": [S("torch.vstack((x, y), out=v)", **_IN),
                   S("torch.vstack((x, y), out=v)", x="f(2)", y="f(2)", v="torch.empty(0)")],
    "row_stack.out": [S("torch.row_stack((x, y), out=v)", **_IN)],
    "dstack.out": [S("torch.dstack((x, y), out=v)", **_IN)],
    "column_stack.out": [S("torch.column_stack((x, y), out=v)", **_IN),
                         S("torch.column_stack((x, y), out=v)", x="f(2)", y="f(2)", v="torch.empty(0)")],
}
