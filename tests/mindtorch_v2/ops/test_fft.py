"""Transforms that conjugate on their way, and those of no signal."""

from __future__ import annotations

import numpy as np
import pytest

import mindtorch_v2 as torch

SIGNAL = np.array([[1, 2, -1, 0.5], [3, 0, 1, -2]])
HALF = SIGNAL + 1j * SIGNAL[::-1]
# transforms that conjugate on their way, against NumPy's
CONJUGATING = [
    (lambda x: torch.fft.hfft(x), HALF, np.fft.hfft(HALF)),
    (lambda x: torch.fft.hfft(x, 5, norm="ortho"), HALF, np.fft.hfft(HALF, 5, norm="ortho")),
    (lambda x: torch.fft.ihfft(x), SIGNAL, np.fft.ihfft(SIGNAL)),
    (lambda x: torch.fft.ifft(x), SIGNAL, np.fft.ifft(SIGNAL)),
    (lambda x: torch.fft.hfft2(x), HALF, np.fft.hfft(np.fft.fft(HALF, axis=0), axis=1)),
    (lambda x: torch.fft.ihfftn(x, dim=1), SIGNAL, np.fft.ihfft(SIGNAL)),
]


@pytest.mark.parametrize("row", range(len(CONJUGATING)))
def test_a_transform_that_conjugates_gives_what_numpy_s_gives(row):
    transform, given, expected = CONJUGATING[row]
    assert np.allclose(transform(torch.from_numpy(given)).resolve_conj().numpy(), expected)


@pytest.mark.parametrize("row", range(len(CONJUGATING)))
def test_its_gradient_is_that_of_small_steps(row):
    transform, given, _ = CONJUGATING[row]
    assert torch.autograd.gradcheck(transform, torch.from_numpy(given).requires_grad_())


def test_the_transform_of_no_signals_is_empty():
    assert torch.fft.fft(torch.ones(0, 6)).shape == (0, 6)
    assert torch.fft.rfft2(torch.ones(0, 4, 6)).shape == (0, 4, 4)
    assert torch.fft.irfft(torch.ones(0, 4, dtype=torch.complex64)).shape == (0, 6)


def test_each_transform_is_computed_in_its_own_precision():
    assert torch.fft.fft(torch.rand(8)).dtype is torch.complex64
    assert torch.fft.fft(torch.rand(8, dtype=torch.float64)).dtype is torch.complex128
