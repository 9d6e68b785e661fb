"""Images as columns of what a kernel sees, and back."""

from .. import S

SAMPLES = {
    "im2col": [S("F.unfold(x, 3)", x="f(2, 3, 5, 6)"), S("F.unfold(x, (2, 3), (2, 1), (1, 2), (1, 2))", x="f(3, 5, 6)"),
               S("F.unfold(x, 2)", x="d(2, 1, 3, 3)"), S("F.unfold(x, 2)", x="f(0, 1, 3, 3)"),
               S("F.unfold(x.transpose(2, 3), 2)", x="f(1, 2, 3, 4)"), S("F.unfold(x, 2)", x="i(1, 1, 3, 3)"),
               S("F.unfold(x, 9)", x="f(2, 3, 5, 6)"), S("F.unfold(x, 0)", x="f(2, 3, 5, 6)"),
               S("F.unfold(x, 2, stride=0)", x="f(2, 3, 5, 6)"), S("F.unfold(x, 2, padding=-1)", x="f(2, 3, 5, 6)"),
               S("F.unfold(x, 2, dilation=0)", x="f(2, 3, 5, 6)"), S("F.unfold(x, 2)", x="f(2, 0, 5, 6)")],
    "col2im": [S("F.fold(x, (5, 6), 3)", x="f(2, 18, 12)"), S("F.fold(x, (4, 4), 2, 2, 1, (1, 2))", x="f(4, 8)"),
               S("F.fold(x, (3, 3), 2)", x="d(1, 4, 4)"), S("F.fold(x, (3, 3), 2)", x="f(0, 4, 4)"),
               S("F.fold(x, (3, 3), 2)", x="f(1, 5, 4)"), S("F.fold(x, (3, 3), 2)", x="f(1, 4, 3)"),
               S("F.fold(x, (1, 1), 2)", x="f(1, 4, 1)"), S("F.fold(x, (3, 3), 2, stride=0)", x="f(1, 4, 4)"),
               S("F.fold(x, (3, 3), 2)", x="f(1, 4, 4, 1)"), S("F.fold(x, (3, 3), 2)", x="i(1, 4, 4)")],
}
