"""Samples of ops/create/older_casts.py."""

from .. import S

SAMPLES = {
    **{f"_cast_{word}": [S(f"torch._cast_{word}(x)", x="pos(2, 3)"), S(f"torch._cast_{word}(x)", x="i(2)")]
       for word in "Byte Char Double Float Half Int Long Short".split()},
    "chalf": [S("x.chalf().real.float()", x="f(3)"), S("x.chalf().imag.float()", x="c(3)")],
    "_shape_as_tensor": [S("torch._shape_as_tensor(x)", x="f(3, 4)"), S("torch._shape_as_tensor(x)", x="f()")],
    "_dim_arange": [S("torch._dim_arange(x, 1)", x="f(3, 4)"), S("torch._dim_arange(x, -2)", x="f(3, 4)")],
}
