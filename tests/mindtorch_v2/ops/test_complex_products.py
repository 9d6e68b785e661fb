"""Large products of complex numbers are exact in every layout, and as naive about infinities as PyTorch's."""

from __future__ import annotations

import numpy as np
import pytest

import mindtorch_v2 as torch

TYPES = {torch.complex64: 2e-6, torch.complex128: 1e-14}
LAYOUTS = {"rows": lambda t: t, "columns": lambda t: t.mT.contiguous().mT, "steps": lambda t: t.repeat(1, 2)[:, ::2],
           "conjugate": lambda t: t.conj()}


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("first", LAYOUTS)
@pytest.mark.parametrize("second", LAYOUTS)
def test_products_of_any_layout(dtype, first, second):
    torch.manual_seed(0)
    a, b = torch.randn(50, 41, dtype=dtype), torch.randn(41, 37, dtype=dtype)
    a, b = LAYOUTS[first](a), LAYOUTS[second](b)
    exact = np.asarray(a.resolve_conj()).astype(complex) @ np.asarray(b.resolve_conj()).astype(complex)
    for product in (a @ b, (a[None] @ b[None])[0], torch.addmm(torch.zeros(50, 37, dtype=dtype), a, b),
                    torch.mm(a, b, out=torch.empty(37, 50, dtype=dtype).t())):
        np.testing.assert_allclose(product.numpy(), exact, atol=TYPES[dtype] * np.abs(exact).max())


def test_batches_broadcast():
    a, b = torch.randn(3, 1, 40, 40, dtype=torch.complex64), torch.randn(2, 40, 40, dtype=torch.complex64)
    torch.testing.assert_close(a @ b, torch.stack([torch.stack([x[0] @ y for y in b]) for x in a]))


def test_an_infinity_times_a_real_number_has_no_imaginary_part():
    a, b = torch.zeros(64, 64, dtype=torch.complex64), torch.zeros(64, 64, dtype=torch.complex64)
    a[0, 0], b[0, 0] = float("inf"), 1
    first = (a @ b)[0, 0]
    assert first.real.isinf() and first.imag.isnan()
