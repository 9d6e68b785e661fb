"""Running sums and products."""

from .. import S

SAMPLES = {
    "cumsum": [S("x.cumsum(1)", x="f(3, 4)"), S("torch.cumsum(x, 0)", x="i(3, 4)"), S("x.cumsum(-1)", x="h(3, 4)"),
               S("x.cumsum(0, dtype=torch.float64)", x="f(3, 4)")],
    "cumsum_": [S("(x * 1).cumsum_(1)", x="f(3, 4)")],
    "cumsum.out": [S("torch.cumsum(x, 1, out=torch.empty(0))", x="f(3, 4)"),
                   S("torch.cumsum(x, 1, out=torch.empty(2, dtype=torch.float64))", x="f(3, 4)")],
    "cumprod": [S("x.cumprod(0)", x="c(3)"), S("x.cumprod(1)", x="f(3, 4)"), S("torch.cumprod(x, 0)", x="i(3, 4)")],
    "cumprod_": [S("(x * 1).cumprod_(1)", x="f(3, 4)")],
    "cumprod.out": [S("torch.cumprod(x, 0, out=torch.empty(3, 4))", x="f(3, 4)")],
    "cumprod_backward": [S("torch.ops.aten.cumprod_backward(x, y, 1, z)", x="f(3, 4)", y="pos(3, 4)", z="pos(3, 4)")],
    "logcumsumexp": [S("torch.logcumsumexp(x, 1)", x="f(3, 4)"), S("x.logcumsumexp(0)", x="f(3, 4)"),
                     S("torch.logcumsumexp(x, 1)", x="c(2, 3)")],
}
