"""Special functions where PyTorch's answers are no yardstick, and what they cost before they are called."""

from __future__ import annotations

import subprocess
import sys

import pytest

import mindtorch_v2 as torch

# from the tables of the Digital Library of Mathematical Functions
AT_FIVE = {"bessel_j0": -0.17759677131433830, "bessel_j1": -0.32757913759146522, "bessel_y0": -0.30851762524903303,
           "bessel_y1": 0.14786314339122684}


@pytest.mark.parametrize("name", AT_FIVE)
def test_bessel_functions_are_right_where_torch_s_lose_digits(name):
    value = getattr(torch.special, name)(torch.tensor(5.0, dtype=torch.float64)).item()
    assert value == pytest.approx(AT_FIVE[name], rel=1e-14)


def test_airy_s_function_is_right_where_torch_s_loses_digits():
    assert torch.special.airy_ai(torch.tensor(-3.0, dtype=torch.float64)).item() == \
        pytest.approx(-0.37881429367765823, rel=1e-14)


def test_scaled_bessel_function_of_half_precision_is_rounded_once():
    x = torch.linspace(-3, 3, 13).to(torch.bfloat16)
    assert torch.equal(torch.special.i0e(x), torch.special.i0e(x.float()).to(torch.bfloat16))


def test_scipy_is_imported_by_the_first_special_function():
    program = ("import sys, mindtorch_v2 as torch; x = torch.ones(2).exp(); before = 'scipy' in sys.modules; "
               "torch.special.zeta(x + 1, x); print(before, 'scipy' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True"], done.stderr


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("n", [1, 3, 300])
def test_the_logarithm_of_gamma_is_nothing_at_one_and_two(dtype, n):
    x = torch.tensor([1.0, 2.0], dtype=dtype).repeat(n)
    assert torch.lgamma(x).tolist() == [0.0] * (2 * n) == torch.lgamma(x[::2]).repeat(2).tolist()
