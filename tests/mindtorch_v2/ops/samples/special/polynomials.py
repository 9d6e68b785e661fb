"""Samples of ops/special/polynomials.py."""

from __future__ import annotations

from .. import S

POINTS = "torch.tensor([[0.], [0.5], [-0.5], [1.], [-1.], [2.], [-3.], [float('inf')], [float('nan')]])"
KINDS = ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
         "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p",
         "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
         "shifted_chebyshev_polynomial_w")

SAMPLES = {}
for _kind in KINDS:
    _op, _call = f"special_{_kind}", f"torch.special.{_kind}"
    SAMPLES[_op] = [S(f"{_call}(x, n)", x="f(3, 4)", n="i(4)"), S(f"{_call}(x, n)", x="d(4)", n="i(4, high=12)"),
                    S(f"{_call}(x, n)", x="i(3)", n="i(3)"), S(f"{_call}(x, n)", x="h(3)", n="i(3)"),
                    S(f"{_call}({POINTS}, n)", n="torch.tensor([0., 1., 2.9, 3., 7., 9., -1.])")]
    SAMPLES[f"{_op}.out"] = [S(f"{_call}(x, n, out=torch.empty(0))", x="f(3, 4)", n="i(4)")]
    SAMPLES[f"{_op}.x_scalar"] = [S(f"{_call}(0.5, n)", n="i(4)")]
    SAMPLES[f"{_op}.x_scalar_out"] = [S(f"{_call}(0.5, n, out=torch.empty(0))", n="i(4)")]
    SAMPLES[f"{_op}.n_scalar"] = [S(f"{_call}(x, 3)", x="f(3, 4)")]
    SAMPLES[f"{_op}.n_scalar_out"] = [S(f"{_call}(x, 3, out=torch.empty(0))", x="f(3, 4)")]
