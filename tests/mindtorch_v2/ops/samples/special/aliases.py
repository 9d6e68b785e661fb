"""Samples of ops/special/aliases.py."""

from __future__ import annotations

from .. import S

UNARY = ("digamma", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammaln", "i0", "log1p", "psi", "sinc")

SAMPLES = {
    "special_gammainc": [S("torch.special.gammainc(x.detach(), y)", x="pos(3, 4)", y="pos(4)")],
    "special_gammainc.out": [S("torch.special.gammainc(x, y, out=torch.empty(0))", x="pos(3, 4)", y="pos(4)")],
    "special_gammaincc": [S("torch.special.gammaincc(x.detach(), y)", x="pos(3, 4)", y="pos(4)")],
    "special_gammaincc.out": [S("torch.special.gammaincc(x, y, out=torch.empty(0))", x="pos(3, 4)", y="pos(4)")],
    "special_logit": [S("torch.special.logit(x, 0.2)", x="f(3, 4)"), S("torch.special.logit(x / 3)", x="pos(3)")],
    "special_logit.out": [S("torch.special.logit(x, 0.2, out=torch.empty(0))", x="f(3, 4)")],
    "special_logsumexp": [S("torch.special.logsumexp(x, 1)", x="f(3, 4)"),
                          S("torch.special.logsumexp(x, (0, 1), keepdim=True)", x="f(3, 4)")],
    "special_logsumexp.out": [S("torch.special.logsumexp(x, 1, out=torch.empty(0))", x="f(3, 4)")],
    "special_multigammaln": [S("torch.special.multigammaln(x + 1, 2)", x="pos(3, 4)")],
    "special_multigammaln.out": [S("torch.special.multigammaln(x + 1, 2, out=torch.empty(0))", x="pos(3, 4)")],
    "special_polygamma": [S("torch.special.polygamma(1, x)", x="pos(3, 4)")],
    "special_polygamma.out": [S("torch.special.polygamma(1, x, out=torch.empty(0))", x="pos(3, 4)")],
    "special_xlogy": [S("torch.special.xlogy(x, y)", x="f(3, 4)", y="pos(4)")],
    "special_xlogy.out": [S("torch.special.xlogy(x, y, out=torch.empty(0))", x="f(3, 4)", y="pos(4)")],
    "special_xlogy.self_scalar": [S("torch.special.xlogy(2, y)", y="pos(4)")],
    "special_xlogy.self_scalar_out": [S("torch.special.xlogy(2, y, out=torch.empty(0))", y="pos(4)")],
    "special_xlogy.other_scalar": [S("torch.special.xlogy(x, 2.5)", x="f(4)")],
    "special_xlogy.other_scalar_out": [S("torch.special.xlogy(x, 2.5, out=torch.empty(0))", x="f(4)")],
    "special_round": [S("torch.special.round(x)", x="f(3, 4)"), S("torch.special.round(x, decimals=2)", x="f(3, 4)")],
    "special_round.out": [S("torch.special.round(x, decimals=2, out=torch.empty(0))", x="f(3, 4)")],
    "special_softmax": [S("torch.special.softmax(x, 1)", x="f(3, 4)"),
                        S("torch.special.softmax(x, 0, dtype=torch.float64)", x="f(3, 4)")],
    "special_log_softmax": [S("torch.special.log_softmax(x, 1)", x="f(3, 4)"),
                            S("torch.special.log_softmax(x, 0, dtype=torch.float64)", x="f(3, 4)")],
}
for _name in UNARY:
    _call = f"torch.special.{_name}"
    SAMPLES[f"special_{_name}"] = [S(f"{_call}(x / 3)", x="pos(3, 4)"), S(f"{_call}(x)", x="i(3, low=1)")]
    SAMPLES[f"special_{_name}.out"] = [S(f"{_call}(x / 3, out=torch.empty(0))", x="pos(3, 4)")]
