"""The largest and the smallest."""

from .. import S

SAMPLES = {
    "amax": [S("x.amax()", x="f(3, 4)"), S("x.amax(1)", x="f(3, 4)"), S("torch.amax(x, (0, 2), True)", x="f(2, 3, 4)")],
    "amax.out": [S("torch.amax(x, 1, out=y)", x="f(3, 4)", y="f(3)"),
                 S("torch.amax(x, 1, out=y)", x="f(3, 4)", y="d(3)")],
    "amin.out": [S("torch.amin(x, (0, 1), True, out=y)", x="f(3, 4)", y="f(1, 1)")],
    "amin": [S("x.amin()", x="i(3, 4)"), S("x.amin(1, True)", x="f(3, 4)"), S("torch.amin(x, (0, 2))", x="f(2, 3, 4)")],
    "aminmax": [S("torch.aminmax(x)[1]", x="f(3, 4)"), S("torch.aminmax(x, dim=1)[0]", x="f(3, 4)"),
                S("x.aminmax(dim=0, keepdim=True)[1]", x="f(3, 4)")],
    "max": [S("x.max()", x="f(3, 4)"), S("torch.max(x)", x="i(3, 4)")],
    "max.dim": [S("x.max(1)[0]", x="f(3, 4)"), S("x.max(0, True)[1]", x="f(3, 4)"),
                S("torch.max(x, 1)[0]", x="h(3, 4)")],
    "max.other": [S("torch.max(x, y)", x="f(3, 4)", y="f(4)"),
                  S("torch.max(x, y)", x="i(3)", y="i()")],
    "min": [S("x.min()", x="f(3, 4)"), S("torch.min(x)", x="b(3, 4)")],
    "min.dim": [S("x.min(1)[0]", x="f(3, 4)"), S("x.min(-2, True)[1]", x="i(3, 4)")],
    "min.other": [S("torch.min(x, y)", x="f(3, 4)", y="f(4)")],
    "argmax": [S("x.argmax()", x="f(3, 4)"), S("x.argmax(1)", x="f(3, 4)"), S("x.t().argmax(-1, True)", x="f(3, 4)")],
    "argmax.out": [S("torch.argmax(x, 1, out=y)", x="f(3, 4)", y="i(3)"),
                   S("torch.argmax(x, 1, out=y)", x="f(3, 4)", y="f(3)")],
    "argmin.out": [S("torch.argmin(x, 0, True, out=y)", x="f(3, 4)", y="i(1, 4)")],
    "argmin": [S("x.argmin()", x="f(3, 4)"), S("torch.argmin(x, 1, True)", x="i(3, 4)")],
    "value_selecting_reduction_backward": [
        S("torch.ops.aten.value_selecting_reduction_backward(x, 1, y, (3, 4), False)", x="f(3)", y="i(3, high=4)")],
}
