"""Arguments that go into an op as they stand are those that it would have been given on the long way."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

x = torch.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("size", [(3, 2), [3, 2], torch.Size([3, 2])])
def test_sizes_may_be_any_sequence(size):
    assert x.reshape(size).tolist() == torch.reshape(x, shape=size).tolist() == [[0, 1], [2, 3], [4, 5]]


@pytest.mark.parametrize("number", [2, 2.5, True])
def test_methods_take_numbers_for_tensors(number):
    assert x.mul(number).tolist() == x.clone().mul_(number).tolist() == (x * number).tolist()


def test_number_does_not_widen_what_it_is_added_to():
    assert torch.ones(1, dtype=torch.float16).add_(1.5).dtype is torch.float16
    assert torch.ones(1, dtype=torch.int8).add(1).dtype is torch.int8
    with pytest.raises(RuntimeError, match="result type Float can't be cast"):
        torch.ones(1, dtype=torch.int32).add_(1.5)


def test_later_overloads_are_found_by_their_types():
    assert x.movedim(0, 1).shape == x.movedim((0,), (1,)).shape == (3, 2)
    assert x[None].squeeze(0).shape == x[None].squeeze((0,)).shape == (2, 3)


@pytest.mark.parametrize("call", [lambda: x.select((0,), 1), lambda: x.view([2.0, 3]), lambda: x.add("a"),
                                  lambda: x.transpose([0], 1)])
def test_what_fits_no_overload_is_refused(call):
    with pytest.raises(TypeError):
        call()
