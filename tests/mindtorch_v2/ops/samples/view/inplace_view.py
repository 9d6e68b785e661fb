"""Views taken in place."""

from .. import S

SAMPLES = {
    "as_strided_": [S("(x * 1).as_strided_((2, 2), (1, 2))", x="f(3, 4)")],
    "transpose_": [S("(x * 1).transpose_(0, 1)", x="f(3, 4)"), S("x.transpose_(0, 1)", x="f(3, 4)")],
    "t_": [S("(x * 1).t_()", x="f(3, 4)")],
    "swapaxes_": [S("(x * 1).swapaxes_(0, 1)", x="f(3, 4)")],
    "swapdims_": [S("(x * 1).swapdims_(0, 1)", x="f(3, 4)")],
    "unsqueeze_": [S("(x * 1).unsqueeze_(1)", x="f(3, 4)")],
    "squeeze_": [S("(x * 1).squeeze_()", x="f(1, 3, 1)")],
    "squeeze_.dim": [S("(x * 1).squeeze_(0)", x="f(1, 3, 1)")],
    "squeeze_.dims": [S("(x * 1).squeeze_((0, 2))", x="f(1, 3, 1)")],
}
