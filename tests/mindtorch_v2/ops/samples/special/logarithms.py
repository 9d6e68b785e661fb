"""Samples of ops/special/logarithms.py."""

from __future__ import annotations

from .. import S

EDGES = "torch.tensor([0., -0., 1., -1., 0.25, 30., float('inf'), float('-inf'), float('nan')])"

SAMPLES = {
    "logaddexp": [S("torch.logaddexp(x, y)", x="f(3, 4)", y="f(4)"), S("x.logaddexp(y)", x="h(3)", y="h(3)"),
                  S("torch.logaddexp(x, y)", x="d(3)", y="f(3)"), S("torch.logaddexp(x, y)", x="i(3)", y="i(3)"),
                  S("torch.logaddexp(x, y)", x="c(3)", y="c(3)"),
                  S(f"torch.logaddexp({EDGES}[:, None], {EDGES})", x="f(1)")],
    "logaddexp.out": [S("torch.logaddexp(x, y, out=torch.empty(0))", x="f(3, 4)", y="f(4)")],
    "logaddexp2": [S("torch.logaddexp2(x, y)", x="f(3, 4)", y="f(4)"), S("x.logaddexp2(y)", x="h(3)", y="h(3)"),
                   S("torch.logaddexp2(x, y)", x="c(3)", y="c(3)"),
                   S(f"torch.logaddexp2({EDGES}[:, None], {EDGES})", x="f(1)")],
    "logaddexp2.out": [S("torch.logaddexp2(x, y, out=torch.empty(0))", x="f(3, 4)", y="f(4)")],
    "special_xlog1py": [S("torch.special.xlog1py(x, y)", x="f(3, 4)", y="pos(4)"),
                        S("torch.special.xlog1py(x * 0, y)", x="f(4)", y="f(4)"),
                        S("torch.special.xlog1py(x, y)", x="i(3)", y="i(3)"),
                        S("torch.special.xlog1py(x, y)", x="h(3)", y="h(3)"),
                        S(f"torch.special.xlog1py({EDGES}[:, None], {EDGES})", x="f(1)")],
    "special_xlog1py.out": [S("torch.special.xlog1py(x, y, out=torch.empty(0))", x="f(3, 4)", y="pos(4)")],
    "special_xlog1py.self_scalar": [S("torch.special.xlog1py(2, y)", y="pos(4)")],
    "special_xlog1py.self_scalar_out": [S("torch.special.xlog1py(2, y, out=torch.empty(0))", y="pos(4)")],
    "special_xlog1py.other_scalar": [S("torch.special.xlog1py(x, 2.5)", x="f(4)"),
                                     S("torch.special.xlog1py(x, -2.0)", x="f(4)")],
    "special_xlog1py.other_scalar_out": [S("torch.special.xlog1py(x, 2.5, out=torch.empty(0))", x="f(4)")],
    "sinc": [S("torch.sinc(x)", x="f(3, 4)"), S("x.sinc()", x="i(5)"), S("torch.sinc(x)", x="h(6)"),
             S("torch.sinc(x.t())", x="d(2, 3)"), S("torch.sinc(x)", x="c(3)"), S(f"torch.sinc({EDGES})", x="f(1)"),
             S("torch.sinc(x * 0)", x="f(3)")],
    "sinc_": [S("(x * 1).sinc_()", x="f(3, 4)")],
    "sinc.out": [S("torch.sinc(x, out=torch.empty(0))", x="f(3, 4)")],
}
