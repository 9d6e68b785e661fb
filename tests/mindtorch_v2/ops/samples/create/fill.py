"""One value everywhere."""

from .. import S

SAMPLES = {
    "fill_.Tensor": [S("(x * 1).fill_(v)", x="f(3, 4)", v="f(1)[0]"), S("x.fill_(v)", x="i(3)", v="f(2)")],
}
