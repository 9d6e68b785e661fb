"""Orthogonal polynomials of degree n, which is a tensor or a number; torch has no derivatives of them."""

from __future__ import annotations

from ...opdef import rules
from ...opdef.form import declare
from .with_numbers import declare_with_numbers

POLYNOMIALS = {
    "chebyshev_polynomial_t": "Chebyshev's polynomial of the first kind.",
    "chebyshev_polynomial_u": "Chebyshev's polynomial of the second kind.",
    "chebyshev_polynomial_v": "Chebyshev's polynomial of the third kind.",
    "chebyshev_polynomial_w": "Chebyshev's polynomial of the fourth kind.",
    "hermite_polynomial_h": "Hermite's polynomial, as physicists have it.",
    "hermite_polynomial_he": "Hermite's polynomial, as probabilists have it.",
    "laguerre_polynomial_l": "Laguerre's polynomial.",
    "legendre_polynomial_p": "Legendre's polynomial.",
    "shifted_chebyshev_polynomial_t": "Chebyshev's polynomial of the first kind on [0, 1].",
    "shifted_chebyshev_polynomial_u": "Chebyshev's polynomial of the second kind on [0, 1].",
    "shifted_chebyshev_polynomial_v": "Chebyshev's polynomial of the third kind on [0, 1].",
    "shifted_chebyshev_polynomial_w": "Chebyshev's polynomial of the fourth kind on [0, 1].",
}

for _name, _doc in POLYNOMIALS.items():
    declare(f"special_{_name}(Tensor x, Tensor n) -> Tensor", _doc, meta=rules.pointwise_float, variants="out",
            kernel_types=f"{_name}_cpu: wide")
    declare_with_numbers(f"special_{_name}", _doc, ("x", "n"), {}, {})
