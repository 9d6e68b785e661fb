"""Sums and means."""

from .. import S

SAMPLES = {
    "sum": [S("x.sum()", x="f(3, 4)"), S("torch.sum(x)", x="i(3, 4)"), S("x.sum(dtype=torch.float64)", x="f(3, 4)"),
            S("x.sum()", x="f()"), S("x.sum()", x="f(0, 3)"), S("x.sum()", x="h(3, 4)")],
    "sum.dim_IntList": [S("x.sum(1)", x="f(3, 4)"), S("x.sum((0, 2), keepdim=True)", x="f(2, 3, 4)"),
                        S("x.t().sum(-1)", x="f(3, 4)"), S("x.sum(0)", x="b(3, 4)"), S("x.sum(0)", x="f(0, 3)")],
    "sum.IntList_out": [S("torch.sum(x, 1, out=y)", x="f(3, 4)", y="f(3)"),
                        S("torch.sum(x, 1, out=y)", x="f(3, 4)", y="i(3)"),
                        S("torch.sum(x, 1, dtype=torch.float64, out=y)", x="f(3, 4)", y="f(3)")],
    "mean": [S("x.mean()", x="f(3, 4)"), S("x.mean(dtype=torch.float32)", x="i(3, 4)"), S("x.mean()", x="h(3, 4)")],
    "mean.dim": [S("x.mean(1)", x="f(3, 4)"), S("x.mean((0, -1), True)", x="f(2, 3, 4)"), S("x.mean(1)", x="h(3, 4)")],
    "mean.out": [S("torch.mean(x, 1, out=y)", x="f(3, 4)", y="f(3)"),
                 S("torch.mean(x, 1, out=y)", x="f(3, 4)", y="i(3)"),
                 S("torch.mean(x, 1, out=y)", x="f(3, 4)", y="d(3)")],
    "nansum": [S("x.nansum()", x="f(3, 4)"), S("torch.nansum(x, 1, True)", x="f(3, 4)")],
    "logsumexp": [S("torch.logsumexp(x, 1)", x="f(3, 4)"), S("x.logsumexp((0, 1), True)", x="f(3, 4)"),
                  S("torch.logsumexp(x, 0)", x="i(3, 4)")],
    "logsumexp.out": [S("torch.logsumexp(x, 1, out=y)", x="f(3, 4)", y="f(3)")],
}
