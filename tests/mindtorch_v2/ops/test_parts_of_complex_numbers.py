"""Real and imaginary parts that are written."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile


def test_a_tensor_is_written_into_one_part():
    x = torch.tensor([1 + 2j, 3 + 4j])
    x.real = torch.tensor([5.0, 6.0])
    x.imag = 7
    assert x.tolist() == [5 + 7j, 6 + 7j]


def test_the_part_of_a_real_tensor_is_the_tensor():
    x = torch.ones(2)
    x.real = torch.zeros(2)
    assert x.tolist() == [0, 0]
    with pytest.raises(RuntimeError, match="imag is not implemented for tensors with non-complex dtypes."):
        x.imag = 1


def test_a_gradient_goes_around_the_part_that_was_written():
    x = torch.tensor([1 + 2j], requires_grad=True)
    y = x * 1
    y.real = torch.zeros(1)
    torch.view_as_real(y).sum().backward()
    assert x.grad.tolist() == [1j]


def test_writing_a_part_shows_the_rows_of_torch_s():
    x = torch.ones(3, dtype=torch.complex64)
    with profile() as prof:
        x.imag = 1
    assert [event.name for event in prof.events() if event.cpu_parent is None] == \
        ["aten::imag", "aten::lift_fresh", "aten::copy_"]
