"""Order."""

from .. import S

SAMPLES = {
    "sort": [S("x.sort()[0]", x="f(3, 4)"), S("x.sort(0, True)[1]", x="f(3, 4)"),
             S("torch.sort(x.t())[0]", x="f(3, 4)")],
    "sort.stable": [S("torch.sort(x, stable=True)[0]", x="f(3, 4)"),
                    S("x.sort(stable=True, dim=0, descending=True)[1]", x="i(3, 4)")],
    "argsort": [S("x.argsort()", x="f(3, 4)"), S("torch.argsort(x, 0, True)", x="f(3, 4)")],
    "argsort.stable": [S("torch.argsort(x, stable=True)", x="i(3, 4)")],
    "msort": [S("torch.msort(x)", x="f(3, 4)")],
    "topk": [S("x.topk(2)[0]", x="f(3, 4)"), S("torch.topk(x, 2, 0, False)[1]", x="f(3, 4)")],
    "median": [S("x.median()", x="f(3, 4)"), S("torch.median(x)", x="i(5)")],
    "median.dim": [S("x.median(1)[0]", x="f(3, 4)"), S("x.median(0, True)[1]", x="f(3, 4)")],
    "kthvalue": [S("x.kthvalue(2)[0]", x="f(3, 4)"), S("torch.kthvalue(x, 1, 0, True)[1]", x="f(3, 4)")],
    "mode": [S("x.mode()[0]", x="i(3, 4)"), S("x.mode(0, True)[1]", x="i(3, 4)"), S("x.mode()[0]", x="f(3, 4)")],
}
