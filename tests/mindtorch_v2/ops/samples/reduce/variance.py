"""Variances and standard deviations."""

from .. import S

SAMPLES = {
    "var": [S("x.var(False)", x="f(3, 4)")],
    "var.dim": [S("x.var(1)", x="f(3, 4)"), S("x.var((0, 2), False, True)", x="f(2, 3, 4)")],
    "var.correction": [S("x.var()", x="f(3, 4)"), S("x.var(1, correction=0)", x="f(3, 4)"), S("x.var()", x="h(3, 4)")],
    "var.correction_out": [S("torch.var(x, 1, out=y)", x="f(3, 4)", y="f(3)"),
                           S("torch.var(x, 1, correction=0, out=y)", x="f(3, 4)", y="d(3)")],
    "std": [S("x.std(unbiased=False)", x="f(3, 4)")],
    "std.dim": [S("x.std(1)", x="f(3, 4)"), S("torch.std(x, (0, 1), keepdim=True)", x="f(3, 4)")],
    "std.correction": [S("x.std()", x="f(3, 4)"), S("x.std(0, correction=2, keepdim=True)", x="f(3, 4)"),
                       S("x.std()", x="d(5)")],
    "std.correction_out": [S("torch.std(x, 1, keepdim=True, out=y)", x="f(3, 4)", y="f(3, 1)"),
                           S("torch.std(x, 1, out=y)", x="f(3, 4)", y="i(3)")],
    "var_mean": [S("torch.var_mean(x, False)[0]", x="f(3, 4)")],
    "var_mean.dim": [S("torch.var_mean(x, 1)[0]", x="f(3, 4)"),
                     S("torch.var_mean(x, 0, keepdim=True)[1]", x="f(3, 4)")],
    "var_mean.correction": [S("torch.var_mean(x)[0]", x="f(3, 4)"),
                            S("torch.var_mean(x, dim=1, correction=0)[1]", x="f(3, 4)")],
    "std_mean": [S("torch.std_mean(x, False)[0]", x="f(3, 4)")],
    "std_mean.dim": [S("torch.std_mean(x, 1)[0]", x="f(3, 4)")],
    "std_mean.correction": [S("torch.std_mean(x)[0]", x="f(3, 4)"),
                            S("torch.std_mean(x, dim=1, correction=0)[1]", x="f(3, 4)")],
}
