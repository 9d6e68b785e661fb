"""Tensors as Python values, and Tensor.to in all its forms."""

from __future__ import annotations

import numpy as np
import pytest

import mindtorch_v2 as torch

COMPLAINTS = [
    (lambda: bool(torch.ones(2)), RuntimeError, "Boolean value of Tensor with more than one value is ambiguous"),
    (lambda: bool(torch.empty(0)), RuntimeError, "Boolean value of Tensor with no values is ambiguous"),
    (lambda: torch.ones(2).item(), RuntimeError, "a Tensor with 2 elements cannot be converted to Scalar"),
    (lambda: float(torch.ones(2)), ValueError, "only one element tensors can be converted to Python scalars"),
    (lambda: [1, 2][torch.tensor(1.5)], TypeError,
     "only integer tensors of a single element can be converted to an index"),
    (lambda: len(torch.tensor(1)), TypeError, "len() of a 0-d tensor"),
    (lambda: torch.ones(1).cuda(), AssertionError, "Torch not compiled with CUDA enabled"),
    (lambda: torch.ones(1).type("torch.FooTensor"), ValueError, "invalid type: 'torch.FooTensor'"),
]


@pytest.mark.parametrize(("act", "error", "text"), COMPLAINTS, ids=[c[2] for c in COMPLAINTS])
def test_what_is_no_number_is_refused_in_torchs_words(act, error, text):
    with pytest.raises(error) as caught:
        act()
    assert str(caught.value) == text


def test_numbers_come_out_as_pythons_own():
    assert [type(torch.tensor(v).item()) for v in (1, 1.5, True, 2j)] == [int, float, bool, complex]
    assert type(torch.ones(1, dtype=torch.bfloat16).item()) is float


def test_an_integer_tensor_is_an_index():
    assert [1, 2, 3][torch.tensor(1)] == 2


def test_tolist_nests_like_the_shape():
    assert torch.ones(2, 1, dtype=torch.bfloat16).tolist() == [[1.0], [1.0]]
    assert torch.tensor(2.5).tolist() == 2.5


SAME = [(), (None,), ("cpu",), (torch.float32,), (torch.device("cpu"), torch.float32)]


@pytest.mark.parametrize("args", SAME, ids=str)
def test_to_hands_back_what_fits(args):
    x = torch.ones(2)
    assert x.to(*args) is x


@pytest.mark.parametrize("args", [(torch.float64,), ("cpu", torch.float64), (torch.ones(1).double(),)], ids=str)
def test_to_casts(args):
    assert torch.ones(2).to(*args).dtype is torch.float64


def test_to_copies_on_request():
    x = torch.ones(2)
    assert x.to(torch.float32, copy=True).data_ptr() != x.data_ptr()


def test_to_channels_last():
    assert torch.ones(2, 3, 4, 5).to(memory_format=torch.channels_last).stride() == (60, 1, 15, 3)


def test_the_gradient_of_a_cast_comes_back_in_the_old_type():
    x = torch.ones(2, requires_grad=True)
    x.double().sum().backward()
    assert x.grad.dtype is torch.float32


def test_contiguous_is_the_tensor_itself_where_it_can_be():
    x = torch.ones(2, 3)
    assert x.contiguous() is x
    assert x.t().contiguous().stride() == (2, 1)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_short_floats_keep_an_imaginary_part(dtype):
    assert (torch.ones(2, dtype=dtype) + 2j).tolist() == [1 + 2j, 1 + 2j]
    wanted = torch.complex32 if dtype is torch.float16 else torch.complex64
    assert (torch.ones(2, dtype=dtype) + torch.tensor(2j)).dtype is wanted


def test_size_holds_ints_and_nothing_else():
    size = torch.Size([True, torch.tensor(2), np.int64(3)])
    assert [type(n) for n in size] == [int, int, int]
    assert (1,) + size == torch.Size([1, 1, 2, 3])
    assert isinstance((1,) + size, torch.Size)
