"""Several tensors made one."""

from .. import S

SAMPLES = {
    "cat": [S("torch.cat([x, y])", x="f(2, 3)", y="f(4, 3)"), S("torch.cat((x, y), -1)", x="f(2, 3)", y="f(2, 1)"),
            S("torch.cat([x, y.t()], 1)", x="f(2, 3)", y="f(2, 2)"), S("torch.cat([x, y])", x="f(2)", y="d(3)"),
            S("torch.cat([x, y])", x="i(2)", y="i(2)"), S("torch.cat([x, y])", x="f(2, 3)", y="f(2, 4)")],
    "cat.out": [S("torch.cat([x, y], out=z)", x="f(2, 3)", y="f(1, 3)", z="f(3, 3)")],
    "concat": [S("torch.concat([x, y])", x="f(2)", y="f(3)")],
    "concatenate": [S("torch.concatenate([x, y], axis=1)", x="f(2, 1)", y="f(2, 2)")],
    "stack": [S("torch.stack([x, y])", x="f(2, 3)", y="f(2, 3)"), S("torch.stack([x, y], 1)", x="f(2, 3)", y="f(2, 3)"),
              S("torch.stack([x, y], -1)", x="f(2, 3)", y="f(2, 3)"), S("torch.stack([x, y])", x="f(2)", y="f(3)")],
    "stack.out": [S("torch.stack([x, y], out=z)", x="f(3)", y="f(3)", z="f(2, 3)")],
    "atleast_1d": [S("torch.atleast_1d(x)", x="f(1)[0]")],
    "atleast_1d.Sequence": [S("torch.atleast_1d(x, y)", x="f(1)[0]", y="f(2)")],
    "atleast_2d": [S("torch.atleast_2d(x)", x="f(3)")],
    "atleast_2d.Sequence": [S("torch.atleast_2d(x, y)", x="f(1)[0]", y="f(2)")],
    "atleast_3d": [S("torch.atleast_3d(x)", x="f(3)")],
    "atleast_3d.Sequence": [S("torch.atleast_3d(x, y)", x="f(3, 2)", y="f(1)[0]")],
    "hstack": [S("torch.hstack([x, y])", x="f(2)", y="f(3)"), S("torch.hstack([x, y])", x="f(2, 1)", y="f(2, 3)")],
    "vstack": [S("torch.vstack([x, y])", x="f(3)", y="f(3)")],
    "row_stack": [S("torch.row_stack([x, y])", x="f(3)", y="f(3)")],
    "dstack": [S("torch.dstack([x, y])", x="f(2, 3)", y="f(2, 3)")],
    "column_stack": [S("torch.column_stack([x, y])", x="f(3)", y="f(3, 2)")],
}
