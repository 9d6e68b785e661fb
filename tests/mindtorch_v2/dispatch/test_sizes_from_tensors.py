"""A tensor of one whole number stands for an int, alone or among sizes; None for a list that may be left out."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

THREE = [torch.tensor(3), torch.tensor([3]), torch.tensor([[3]], dtype=torch.uint8)]


@pytest.mark.parametrize("three", THREE)
def test_a_tensor_of_one_number_is_a_size(three):
    assert torch.ones(three).shape == (3,) and torch.ones(2, three).shape == (2, 3) == torch.ones((2, three)).shape
    assert torch.ones(3).view(three).shape == (3,) == torch.ones(1).expand(three).shape
    assert torch.ones(5).new_zeros(three).shape == torch.ones(1).repeat(three).shape == (3,)


@pytest.mark.parametrize("three", THREE)
def test_a_tensor_of_one_number_is_a_dimension_or_a_position(three):
    assert torch.ones(1, 1, 1, 4).sum(three).shape == (1, 1, 1)
    assert torch.arange(5).select(0, three) == 3


def test_fractions_and_several_numbers_are_no_size():
    for other in (torch.tensor(3.0), torch.tensor([1, 2])):
        with pytest.raises(TypeError):
            torch.ones(other)


def test_none_is_the_empty_list_that_a_parameter_has_by_default():
    assert torch.arange(4).roll(1, None).tolist() == [3, 0, 1, 2]


def test_numpys_names_of_operands():
    assert torch.add(x1=torch.ones(2), x2=torch.ones(2)).tolist() == [2, 2]
