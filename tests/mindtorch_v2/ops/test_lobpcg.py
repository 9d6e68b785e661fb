"""lobpcg against the whole decomposition."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch


def symmetric(n: int, *batch: int) -> torch.Tensor:
    torch.manual_seed(4)
    a = torch.randn(*batch, n, n, dtype=torch.float64)
    return a @ a.mT + torch.eye(n, dtype=torch.float64)


@pytest.mark.parametrize("largest", [True, False])
def test_it_finds_the_ends_of_the_spectrum(largest):
    a = symmetric(30)
    values, vectors = torch.lobpcg(a, k=3, largest=largest)
    every = torch.linalg.eigvalsh(a)
    torch.testing.assert_close(values, every.flip(0)[:3] if largest else every[:3])
    torch.testing.assert_close(a @ vectors, vectors * values, rtol=1e-4, atol=1e-4)


def test_it_solves_for_a_pair_of_matrices_and_for_batches():
    a, b = symmetric(12), symmetric(12, 2)[1]
    values, vectors = torch.lobpcg(a, k=2, B=b)
    torch.testing.assert_close(a @ vectors, b @ vectors * values, rtol=1e-4, atol=1e-4)
    batch = symmetric(9, 2)
    torch.testing.assert_close(torch.lobpcg(batch, k=2)[0], torch.linalg.eigvalsh(batch).flip(-1)[:, :2])


def test_a_gradient_flows_through_values_and_vectors():
    a = symmetric(7).requires_grad_()
    values, vectors = torch.lobpcg(a, k=2)
    grad, = torch.autograd.grad(values.sum(), a)
    torch.testing.assert_close(grad, (vectors @ vectors.mT).detach())


def test_too_many_eigenvalues_are_refused():
    with pytest.raises(ValueError, match="not applicable when the number of A rows \\(=12\\)"):
        torch.lobpcg(symmetric(12), k=5)
