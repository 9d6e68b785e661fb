"""Samples of ops/random/rejection.py; small and large means are drawn in different ways."""

from .. import S

A = "torch.ops.aten"
WIDE = "(x * 8 + 2)"

SAMPLES = {
    "poisson": [S("torch.poisson(x)", x="pos(3, 4)"), S("torch.poisson(x * 20)", x="pos(3, 4)"),
                S("torch.poisson(x * 5)", x="h(3, 4).abs()"), S("torch.poisson(x.t())", x="pos(3, 4)"),
                S("torch.poisson(x, torch.Generator().manual_seed(3))", x="pos(4)"), S("torch.poisson(x)", x="i(3)"),
                S("torch.poisson(-x)", x="pos(3)"), S("torch.poisson(x[:0])", x="pos(3, 4)"),
                S("torch.poisson(x * 0)", x="pos(3)")],
    "poisson.out": [S(f"{A}.poisson(x, out=torch.empty(0))", x="pos(3, 4)")],
    "binomial": [S("torch.binomial((x * 8).round(), y / 2)", x="pos(3, 4)", y="pos(3, 4)"),
                 S("torch.binomial((x * 80).round(), y / 2)", x="pos(3, 4)", y="pos(4)"),
                 S("torch.binomial((x * 8).round().detach(), y / 2)", x="pos(3, 4)", y="pos(3, 4).double()"),
                 S("torch.binomial(x, x)", x="i(3)"), S("torch.binomial(x, y)", x="pos(3)", y="i(3)"),
                 S("torch.binomial(x, x)", x="h(3)"), S("torch.binomial(x, y)", x="pos(3)", y="pos(2)")],
    "binomial.out": [S(f"{A}.binomial((x * 8).round(), x / 2, out=torch.empty(0))", x="pos(3, 4)")],
    "_standard_gamma": [S("torch._standard_gamma(x)", x="pos(3, 4)"), S("torch._standard_gamma(x * 9)", x="pos(40)"),
                        S("torch._standard_gamma(x)", x="pos(3, 4).double()"), S("torch._standard_gamma(x)", x="h(3)"),
                        S("torch._standard_gamma(x.t())", x="pos(3, 4)"), S("torch._standard_gamma(x)", x="i(3)"),
                        S("torch._standard_gamma(x.detach() * 0)", x="pos(3)")],
    "_standard_gamma.out": [S(f"{A}._standard_gamma(x, out=torch.empty(0))", x="pos(3, 4)")],
    "_standard_gamma_grad": [S(f"torch._standard_gamma_grad({WIDE}.detach(), y)", x="f(5, 6)", y="pos(5, 6)"),
                             S("torch._standard_gamma_grad(x, y / 8)", x="pos(3, 4)", y="pos(4)"),
                             S("torch._standard_gamma_grad(x, x)", x="h(3)")],
    "_standard_gamma_grad.out": [S(f"{A}._standard_gamma_grad(x, x, out=torch.empty(0))", x="pos(3, 4)")],
    "_sample_dirichlet": [S("torch._sample_dirichlet(x)", x="pos(3, 4)"), S("torch._sample_dirichlet(x)", x="pos(4)"),
                          S("torch._sample_dirichlet(x.t())", x="pos(3, 4)"),
                          S("torch._sample_dirichlet(x)", x="h(3)")],
    "_sample_dirichlet.out": [S(f"{A}._sample_dirichlet(x, out=torch.empty(0))", x="pos(3, 4)")],
    "_dirichlet_grad": [S("torch._dirichlet_grad(x / 2.5, y, y + z)", x="pos(5, 6)", y="pos(5, 6)", z="pos(6)"),
                        S("torch._dirichlet_grad(x / 2.5, y * 9, (y + z) * 9)", x="pos(5, 6)", y="pos(5, 6)",
                          z="pos(5, 6)"), S("torch._dirichlet_grad(x, x, x)", x="h(3)"),
                        S("torch._dirichlet_grad(x, x, y)", x="pos(3)", y="pos(3).double()")],
    "_dirichlet_grad.out": [S(f"{A}._dirichlet_grad(x / 4, x, x * 2, out=torch.empty(0))", x="pos(3, 4)")],
}
