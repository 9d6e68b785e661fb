"""Diagonals."""

from .. import S

SAMPLES = {
    "diagonal_copy": [S("torch.diagonal_copy(x)", x="f(3, 4)")],
    "diag_embed": [S("torch.diag_embed(x)", x="f(2, 3)"), S("x.diag_embed(1)", x="f(2)")],
    "diag": [S("x.diag()", x="f(3)"), S("x.diag(1)", x="f(3, 3)")],
    "diagflat": [S("x.diagflat()", x="f(2, 2)")],
    "trace": [S("x.trace()", x="f(3, 4)"), S("torch.trace(x)", x="i(3, 3)"), S("x.trace()", x="f(3)")],
    "trace_backward": [S("torch.ops.aten.trace_backward(g, (3, 4))", g="f(1)[0]")],
}
