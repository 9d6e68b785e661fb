"""Exponentials of matrices are exact for norms of any size, matrix by matrix of a batch."""

from __future__ import annotations

import numpy as np
import pytest

import mindtorch_v2 as torch

TYPES = {torch.float32: 2e-6, torch.float64: 1e-14, torch.complex64: 2e-6, torch.complex128: 1e-14}


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("norm", [0, 1e-8, 1e-3, 0.1, 0.79, 0.81, 3, 30])
def test_turns_of_any_angle(dtype, norm):
    turn = torch.tensor([[0, -norm], [norm, 0]], dtype=dtype)
    expected = [[np.cos(norm), -np.sin(norm)], [np.sin(norm), np.cos(norm)]]
    np.testing.assert_allclose(torch.matrix_exp(turn).numpy(), expected, atol=TYPES[dtype] * max(norm, 1))


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_every_matrix_of_a_batch_as_if_it_were_alone(dtype):
    torch.manual_seed(0)
    batch = torch.randn(3, 4, 5, 5, dtype=dtype) * torch.logspace(-4, 1, 12).reshape(3, 4, 1, 1)
    alone = torch.stack([torch.stack([torch.matrix_exp(m) for m in row]) for row in batch])
    torch.testing.assert_close(torch.matrix_exp(batch), alone.to(dtype))
    back = torch.matrix_exp(batch[0]) @ torch.matrix_exp(-batch[0])
    torch.testing.assert_close(back, torch.eye(5, dtype=dtype).expand(4, 5, 5), atol=1e-4, rtol=1e-4)


def test_what_is_not_finite_ends():
    assert torch.matrix_exp(torch.full((2, 2), float("nan"))).isnan().all()
    assert not torch.matrix_exp(torch.full((2, 2), float("inf"))).isfinite().any()
    assert torch.matrix_exp(torch.diag(torch.tensor([100.0, 1.0])))[0, 0].isinf()
