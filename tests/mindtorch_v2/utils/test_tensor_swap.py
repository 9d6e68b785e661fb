"""swap_tensors: what PyTorch 2.13 does with two tensors."""

from __future__ import annotations

import weakref

import pytest

import mindtorch_v2 as torch


def test_tensors_trade_data_history_and_attributes():
    first, second = torch.ones(2, requires_grad=True), torch.zeros(3, dtype=torch.float64)
    (first * 2).sum().backward()
    first.note, address = "of the first", first.data_ptr()
    torch.utils.swap_tensors(first, second)
    assert (first.dtype, first.shape, first.requires_grad) == (torch.float64, (3,), False)
    assert not hasattr(first, "note")
    assert second.data_ptr() == address and second.note == "of the first" and second.requires_grad
    assert first.grad is None and second.grad.tolist() == [2, 2]


def test_gradients_reach_the_tensor_that_has_the_data_now():
    first, second = torch.ones(2, requires_grad=True), torch.full((2,), 3.0, requires_grad=True)
    torch.utils.swap_tensors(first, second)
    (first * first).sum().backward()
    assert first.grad.tolist() == [6, 6] and second.grad is None


def test_classes_are_traded_too():
    parameter, plain = torch.nn.Parameter(torch.ones(2)), torch.ones(3)
    torch.utils.swap_tensors(parameter, plain)
    assert type(parameter) is torch.Tensor and type(plain) is torch.nn.Parameter and plain.shape == (2,)


def test_a_tensor_that_is_known_weakly_is_not_swapped():
    first, second = torch.ones(1), torch.zeros(1)
    known = weakref.ref(second)
    with pytest.raises(RuntimeError, match="Cannot swap t2 because it has weakref associated with it"):
        torch.utils.swap_tensors(first, second)
    assert known() is second and first.item() == 1


def test_a_tensor_with_slots_is_swapped_with_its_like():
    class Slotted(torch.Tensor):
        __slots__ = ("extra",)

    with pytest.raises(RuntimeError, match="if they have different slots"):
        torch.utils.swap_tensors(torch.ones(1).as_subclass(Slotted), torch.ones(1))
