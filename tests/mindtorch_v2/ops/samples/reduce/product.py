"""Products over dimensions."""

from .. import S

SAMPLES = {
    "prod": [S("x.prod()", x="c(3)"), S("x.prod()", x="f(3, 4)"), S("torch.prod(x)", x="i(3, 4)"),
             S("(x * y).prod()", x="f(4)", y="i(4, low=0, high=2)")],
    "prod.dim_int": [S("x.prod(1)", x="f(3, 4)"), S("x.prod(0, True)", x="f(3, 4)"), S("(x * 0).prod(1)", x="f(3, 4)")],
    "prod.int_out": [S("torch.prod(x, 1, out=y)", x="f(3, 4)", y="f(3)"),
                     S("torch.prod(x, 1, dtype=torch.float64, out=y)", x="f(3, 4)", y="f(3)")],
}
