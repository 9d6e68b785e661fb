"""Products with vectors."""

from .. import S

SAMPLES = {
    "mv": [S("x.mv(y)", x="f(3, 4)", y="f(4)"), S("x.t().mv(y)", x="f(4, 3)", y="f(4)"),
           S("x.mv(y)", x="f(3, 0)", y="f(0)")],
    "mv.out": [S("torch.mv(x, y, out=z)", x="f(3, 4)", y="f(4)", z="f(3)")],
    "addmv": [S("torch.addmv(x, y, z)", x="f(3)", y="f(3, 4)", z="f(4)"),
              S("x.addmv(y, z, beta=2, alpha=3)", x="f(3)", y="f(3, 4)", z="f(4)")],
    "addmv_": [S("(x * 1).addmv_(y, z)", x="f(3)", y="f(3, 4)", z="f(4)")],
    "addmv.out": [S("torch.addmv(x, y, z, out=o)", x="f(3)", y="f(3, 4)", z="f(4)", o="f(3)")],
    "dot": [S("x.dot(y)", x="f(4)", y="f(4)"), S("torch.dot(x, y)", x="i(4)", y="i(4)")],
    "vdot": [S("torch.vdot(x, y)", x="f(4)", y="f(4)"), S("torch.vdot(x, y)", x="c(4)", y="c(4)")],
    "outer": [S("torch.outer(x, y)", x="f(3)", y="f(4)"), S("x.outer(y)", x="i(3)", y="f(4)")],
    "ger": [S("torch.ger(x, y)", x="f(3)", y="f(4)")],
    "addr": [S("torch.addr(x, y, z)", x="f(3, 4)", y="f(3)", z="f(4)"),
             S("x.addr(y, z, beta=2, alpha=3)", x="f(4)", y="f(3)", z="f(4)")],
    "addr_": [S("(x * 1).addr_(y, z)", x="f(3, 4)", y="f(3)", z="f(4)")],
    "addr.out": [S("torch.addr(x, y, z, out=o)", x="f(3, 4)", y="f(3)", z="f(4)", o="f(3, 4)")],
}
