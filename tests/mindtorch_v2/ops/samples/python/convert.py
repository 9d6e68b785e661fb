"""Samples of ops/python/convert.py."""

from .. import S

SAMPLES = {
    "item": [S("x.item()", x="f()"), S("float(x)", x="f(1)"), S("int(x)", x="i(1, 1)"), S("x.item()", x="h()")],
    "_local_scalar_dense": [S("complex(x)", x="c()")],
    "is_nonzero": [S("bool(x)", x="f()"), S("torch.is_nonzero(x)", x="b(1)"), S("x.is_nonzero()", x="i(1)")],
}
