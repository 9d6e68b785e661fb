"""Products of matrices."""

from .. import S

SAMPLES = {
    "resolve_conj": [S("x.resolve_conj()", x="f(3)")],
    "resolve_neg": [S("x.resolve_neg()", x="f(3)")],
    "conj": [S("x.conj()", x="f(3)")],
    "conj_physical": [S("torch.conj_physical(x)", x="c(3)")],
    "conj_physical.out": [S("torch.conj_physical(x.detach(), out=torch.empty(0, dtype=torch.complex64))", x="c(3)"),
                          S("torch.conj_physical(x, out=y)", x="b(3)", y="b(3)")],
    "mm": [S("x.mm(y)", x="f(3, 4)", y="f(4, 5)"), S("torch.mm(x.t(), y.t())", x="f(4, 3)", y="f(5, 4)"),
           S("torch.mm(x.expand(3, 4), y)", x="f(1, 4)", y="f(4, 1)"), S("x.mm(y)", x="h(3, 4)", y="h(4, 5)"),
           S("x.mm(y)", x="f(3, 0)", y="f(0, 5)"), S("x.mm(y)", x="i(3, 4)", y="i(4, 5)"),
           S("x.mm(y)", x="c(3, 4)", y="c(4, 5)")],
    "mm.out": [S("torch.mm(x, y, out=z)", x="f(3, 4)", y="f(4, 5)", z="f(3, 5)")],
    "addmm": [S("torch.addmm(x, y, z)", x="f(5)", y="f(3, 4)", z="f(4, 5)"),
              S("torch.addmm(x, y, z.t(), beta=2, alpha=3)", x="f(3, 5)", y="f(3, 4)", z="f(5, 4)"),
              S("torch.addmm(x, y, z, beta=0)", x="f(5)", y="f(3, 4)", z="f(4, 5)")],
    "addmm_": [S("(x * 1).addmm_(y, z)", x="f(3, 5)", y="f(3, 4)", z="f(4, 5)")],
    "addmm.out": [S("torch.addmm(x, y, z, out=o)", x="f(5)", y="f(3, 4)", z="f(4, 5)", o="f(3, 5)")],
    "_addmm_activation": [S("torch._addmm_activation(x, y, z)", x="f(5)", y="f(3, 4)", z="f(4, 5)"),
                          S("torch._addmm_activation(x, y, z, beta=2, use_gelu=True)", x="f(3, 5)", y="f(3, 4)",
                            z="f(4, 5)"),
                          S("torch._addmm_activation(x, y, y)", x="f(5)", y="f(3, 4)")],
}
