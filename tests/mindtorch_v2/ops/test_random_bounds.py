"""Ranges of random numbers that a type cannot hold, or holds with gaps; make_tensor cuts them off."""

from __future__ import annotations

import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.testing import make_tensor


@pytest.mark.parametrize(("dtype", "low", "high", "words"), [
    (torch.float32, -2e38, 2e38, r"uniform_ expects to-from <= std::numeric_limits<Float>::max\(\), but found"),
    (torch.float32, 0, 3.5e38, "to is out of bounds for float"),
    (torch.float16, -1e5, 0, "from is out of bounds for c10::Half"),
    (torch.bfloat16, -1e39, 0, "from is out of bounds for c10::BFloat16"),
    (torch.complex64, -1e39, 0, "from is out of bounds for float")])
def test_uniform_refuses_bounds_beyond_the_type(dtype, low, high, words):
    with pytest.raises(RuntimeError, match=words):
        torch.empty(2, dtype=dtype).uniform_(low, high)


@pytest.mark.parametrize(("dtype", "words"), [
    (torch.uint16, "short unsigned int"), (torch.uint32, "unsigned int"), (torch.uint64, "long unsigned int"),
    (torch.uint8, "unsigned char"), (torch.bool, "bool")])
def test_random_refuses_bounds_beyond_the_type(dtype, words):
    with pytest.raises(RuntimeError, match=f"from is out of bounds for {words}"):
        torch.empty(2, dtype=dtype).random_(-1, 1)


def test_random_warns_where_a_floating_type_has_gaps():
    with pytest.warns(UserWarning, match=r"to - 1 is out of bounds \[-\(2\^11\), 2\^11\]. Due to precision"):
        torch.empty(1, dtype=torch.float16).random_(0, 4096)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.empty(1, dtype=torch.float16).random_(0, 2049)


def test_a_permutation_holds_all_its_numbers():
    with pytest.raises(RuntimeError, match="n cannot be greater than 2049 for Half type."):
        torch.randperm(2050, dtype=torch.float16)


@pytest.mark.parametrize("name", "bool uint8 uint16 uint32 uint64 float8_e4m3fn complex32".split())
def test_make_tensor_cuts_bounds_off_at_the_type_s(name):
    x = make_tensor(20, dtype=getattr(torch, name), device="cpu", low=-5, high=5)
    assert x.dtype is getattr(torch, name) and x.shape == (20,)


@pytest.mark.parametrize(("bounds", "words"), [
    ((2, 1), "`low` must be less than `high`, but got 2 >= 1"), ((float("nan"), 1), "cannot be NaN"),
    ((300, 400), r"is \[300, 400\), but torch.uint8 only supports \[0, 256\)")])
def test_make_tensor_refuses_an_empty_range(bounds, words):
    with pytest.raises(ValueError, match=words):
        make_tensor(3, dtype=torch.uint8, device="cpu", low=bounds[0], high=bounds[1])
