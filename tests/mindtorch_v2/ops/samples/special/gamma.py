"""Samples of ops/special/gamma.py."""

from __future__ import annotations

from .. import S

EDGES = "torch.tensor([0., -0., -1., -2.5, 0.5, 1., 30., 1e10, float('inf'), float('-inf'), float('nan')])"

SAMPLES = {
    "lgamma": [S("torch.lgamma(x)", x="f(3, 4)"), S("x.lgamma()", x="i(5)"), S("torch.lgamma(x)", x="h(6)"),
               S("torch.lgamma(x.t())", x="d(2, 3)"), S("torch.lgamma(x)", x="c(2)"),
               S(f"torch.lgamma(x * {EDGES})", x="torch.ones(())"), S("torch.lgamma(x)", x="f(0, 2)")],
    "lgamma_": [S("(x * 1).lgamma_()", x="f(3, 4)"), S("x.lgamma_()", x="i(3)")],
    "lgamma.out": [S("torch.lgamma(x, out=torch.empty(0))", x="f(3, 4)")],
    "digamma": [S("torch.digamma(x)", x="f(3, 4)"), S("x.digamma()", x="i(5, low=1)"), S("torch.digamma(x)", x="h(6)"),
                S("torch.digamma(x)", x="d(2, 3)"), S("torch.digamma(x)", x="c(2)"),
                S(f"torch.digamma({EDGES})", x="f(1)")],
    "digamma_": [S("(x * 1).digamma_()", x="pos(3, 4)")],
    "digamma.out": [S("torch.digamma(x, out=torch.empty(0))", x="f(3, 4)")],
    "polygamma": [S("torch.polygamma(0, x)", x="f(3, 4)"), S("torch.polygamma(1, x)", x="f(3, 4)"),
                  S("torch.polygamma(2, x)", x="pos(3, 4)"), S("x.polygamma(5)", x="d(4)"),
                  S("torch.polygamma(1, x)", x="i(5, low=1)"), S("torch.polygamma(3, x)", x="h(6)"),
                  S("torch.polygamma(-1, x)", x="f(2)"), S("torch.polygamma(2, x)", x="c(2)"),
                  S(f"torch.polygamma(2, {EDGES})", x="f(1)")],
    "polygamma.out": [S("torch.polygamma(1, x, out=torch.empty(0))", x="pos(3, 4)")],
    "polygamma_": [S("(x * 1).polygamma_(1)", x="pos(3, 4)"), S("(x * 1).polygamma_(0)", x="pos(3)"),
                   S("x.polygamma_(1)", x="i(3)")],
    "mvlgamma": [S("torch.mvlgamma(x + 1, 2)", x="pos(3, 4)"), S("(x + 5).mvlgamma(3)", x="i(3)"),
                 S("torch.mvlgamma(x + 2, 1)", x="h(3)"), S("torch.mvlgamma(x, 0)", x="f(2)"),
                 S("torch.mvlgamma(x + 2, 2)", x="pos(3, 4).t()")],
    "mvlgamma_": [S("(x + 1).mvlgamma_(2)", x="pos(3, 4)"), S("x.mvlgamma_(1)", x="i(3)")],
    "mvlgamma.out": [S("torch.mvlgamma(x + 1, 2, out=torch.empty(0))", x="pos(3, 4)"),
                     S("torch.mvlgamma(x + 1, 2, out=torch.empty(0, dtype=torch.int32))", x="pos(3, 4)")],
    "special_zeta": [S("torch.special.zeta(x + 1, y)", x="pos(3, 4)", y="pos(4)"),
                     S("torch.special.zeta(x, y)", x="i(3, low=2)", y="pos(3)"),
                     S("torch.special.zeta(x, y)", x="f(3).half()", y="pos(3).half()"),
                     S(f"torch.special.zeta(x, {EDGES})", x="i(1, low=2, high=3)")],
    "special_zeta.out": [S("torch.special.zeta(x + 1, y, out=torch.empty(0))", x="pos(3, 4)", y="pos(4)")],
    "special_zeta.self_scalar": [S("torch.special.zeta(2.5, y)", y="pos(4)"), S("torch.special.zeta(3, y)", y="d(4)")],
    "special_zeta.self_scalar_out": [S("torch.special.zeta(2.5, y, out=torch.empty(0))", y="pos(4)")],
    "special_zeta.other_scalar": [S("torch.special.zeta(x + 1, 2)", x="pos(4)")],
    "special_zeta.other_scalar_out": [S("torch.special.zeta(x + 1, 2, out=torch.empty(0))", x="pos(4)")],
}
for _name in ("igamma", "igammac"):
    SAMPLES[_name] = [
        S(f"torch.{_name}(x.detach(), y)", x="pos(3, 4)", y="pos(4)"),
        S(f"torch.{_name}(x, y)", x="pos(3)", y="pos(3)"),
        S(f"x.{_name}(y)", x="pos(3).half()", y="pos(3).half()"), S(f"torch.{_name}(x, y)", x="i(3)", y="i(3)"),
        S(f"torch.{_name}(x, y)", x="pos(3).double()", y="pos(3)"),
        S(f"torch.{_name}({EDGES}[:, None], {EDGES})", x="f(1)")]
    SAMPLES[f"{_name}_"] = [S(f"(x * 1).detach().{_name}_(y)", x="pos(3, 4)", y="pos(4)")]
    SAMPLES[f"{_name}.out"] = [S(f"torch.{_name}(x, y, out=torch.empty(0))", x="pos(3, 4)", y="pos(4)")]
