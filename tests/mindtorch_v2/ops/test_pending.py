"""Conjugates and negatives that are carried out when they are read: what leaves the engine, and what is kept."""

from __future__ import annotations

import copy
import io
import pickle

import numpy as np
import pytest

import mindtorch_v2 as torch


def numbers() -> torch.Tensor:
    return torch.tensor([[1 + 2j, 3 - 1j], [0.5j, 2]])


def test_python_gets_the_numbers_that_are_meant():
    x = numbers().conj()
    assert x.tolist() == [[1 - 2j, 3 + 1j], [-0.5j, 2]]
    assert x[0, 0].item() == 1 - 2j
    assert x.imag.tolist() == [[-2, 1], [-0.5, 0]]
    assert torch.equal(x, x.clone())
    assert str(x) == str(x.resolve_conj())


@pytest.mark.parametrize(("view", "words"), [
    (lambda x: x.conj(), "conjugate bit set. Use tensor.resolve_conj().numpy()"),
    (lambda x: x.conj().imag, "negative bit set. Use tensor.resolve_neg().numpy()"),
])
def test_numpy_is_handed_nothing_that_is_pending(view, words):
    with pytest.raises(RuntimeError) as error:
        view(numbers()).numpy()
    assert words in str(error.value)
    assert np.array_equal(view(numbers()).numpy(force=True), view(numbers()).clone().numpy())


def test_a_write_into_a_conjugate_writes_what_it_is_a_view_of():
    x = numbers()
    x.conj().add_(1j)
    assert x.tolist() == [[1 + 1j, 3 - 2j], [-0.5j, 2 - 1j]]
    x.conj()[0] = torch.tensor([1j, 2j])
    assert x[0].tolist() == [-1j, -2j]
    x.conj().imag.zero_()
    assert x.imag.abs().sum() == 0


def test_a_gradient_flows_through_a_write_into_a_conjugate():
    x = numbers().requires_grad_()
    y = x * 1
    y.conj().mul_(2j)
    y.abs().square().sum().backward()
    torch.testing.assert_close(x.grad, 8 * x.detach())


def test_what_is_pending_is_saved_and_copied():
    x = numbers().conj()
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    for again in (torch.load(file), pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert again.tolist() == x.tolist()
    assert pickle.loads(pickle.dumps(x)).is_conj()
