"""Norms and distances."""

from .. import S

SAMPLES = {
    "linalg_vector_norm": [S("x.norm()", x="f(3, 4)"), S("x.norm(1, 1)", x="f(3, 4)"),
                           S("torch.norm(x, 3)", x="f(3, 4)"),
                           S("x.norm(float('inf'), 0, True)", x="f(3, 4)"), S("x.norm(1.5, 1)", x="f(3, 4)"),
                           S("x.norm(0)", x="f(3, 4)"), S("x.norm(2, 1)", x="h(3, 4)"), S("x.norm(2, 1)", x="f(3, 1)")],
    "linalg_vector_norm.out": [S("torch.norm(x, 2, 1, out=y)", x="f(3, 4)", y="f(3)")],
    "norm.Scalar": [S("torch.ops.aten.norm(x, 2)", x="f(3, 4)")],
    "norm.ScalarOpt_dim": [S("torch.ops.aten.norm(x, 2, (1,))", x="f(3, 4)")],
    "dist": [S("torch.dist(x, y)", x="f(3, 4)", y="pos(3, 4)"), S("x.dist(y, 1)", x="f(3, 4)", y="pos(4)")],
}
