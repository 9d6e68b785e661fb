"""Products of batches of matrices."""

from .. import S

SAMPLES = {
    "bmm": [S("x.bmm(y)", x="c(2, 3, 4)", y="c(2, 4, 5)"), S("x.bmm(y)", x="f(2, 3, 4)", y="f(2, 4, 5)"),
            S("torch.bmm(x, y.transpose(1, 2))", x="f(2, 3, 4)", y="f(2, 5, 4)"),
            S("x.expand(2, 10, 8).bmm(y)", x="f(2, 1, 8)", y="f(2, 8, 5)"),
            S("x.bmm(y)", x="h(2, 3, 4)", y="h(2, 4, 5)")],
    "bmm.out": [S("torch.bmm(x, y, out=z)", x="f(2, 3, 4)", y="f(2, 4, 5)", z="f(2, 3, 5)")],
    "baddbmm": [S("torch.baddbmm(x, y, z)", x="f(5)", y="f(2, 3, 4)", z="f(2, 4, 5)"),
                S("x.baddbmm(y, z, beta=2, alpha=3)", x="f(2, 3, 5)", y="f(2, 3, 4)", z="f(2, 4, 5)"),
                S("torch.baddbmm(x, y, z, beta=0.6, alpha=1.7)", x="i(2, 2)", y="i(1, 2, 3)", z="i(1, 3, 2)")],
    "baddbmm_": [S("(x * 1).baddbmm_(y, z)", x="f(2, 3, 5)", y="f(2, 3, 4)", z="f(2, 4, 5)")],
    "baddbmm.out": [S("torch.baddbmm(x, y, z, out=o)", x="f(5)", y="f(2, 3, 4)", z="f(2, 4, 5)", o="f(2, 3, 5)")],
    "addbmm": [S("torch.addbmm(x, y, z)", x="f(5)", y="f(2, 3, 4)", z="f(2, 4, 5)"),
               S("x.addbmm(y, z, beta=2, alpha=3)", x="f(3, 5)", y="f(2, 3, 4)", z="f(2, 4, 5)")],
    "addbmm_": [S("(x * 1).addbmm_(y, z)", x="f(3, 5)", y="f(2, 3, 4)", z="f(2, 4, 5)")],
    "resize_as_": [S("(x * 1).resize_as_(y)", x="i(6)", y="f(2, 3)")],
}
