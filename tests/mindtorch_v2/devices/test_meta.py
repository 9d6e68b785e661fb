"""The device without memory: models are built, moved and measured there before they have values."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import mindtorch_v2 as torch
from mindtorch_v2.core import strided

COMPILED = not strided.__file__.endswith(".py")
NO_DATA = "Cannot copy out of meta tensor; no data!"


def test_a_tensor_without_values_has_all_else():
    x = torch.empty(2, 3, device="meta")
    assert (x.shape, x.stride(), x.dtype, str(x.device), x.is_meta) == ((2, 3), (3, 1), torch.float32, "meta", True)
    assert (x.untyped_storage().nbytes(), x.data_ptr(), x.get_device()) == (24, 0, -1)
    assert repr(x) == "tensor(..., device='meta', size=(2, 3))"
    assert x.type() == "torch.meta.FloatTensor"


def test_a_tensor_larger_than_memory_takes_none():
    x = torch.empty(10**12, device="meta")
    assert (x + 1)[::2].numel() == 5 * 10**11


@pytest.mark.skipif(not COMPILED, reason="uncompiled, there is a limit")
def test_a_tensor_larger_than_every_address_space_takes_none():
    x = torch.empty(10**9, 10**9, device="meta")
    assert x.untyped_storage().nbytes() == 4 * 10**18
    assert x.t().contiguous()[3:, ::2].stride() == (10**9, 2)
    assert (x + 1).sum(0).shape == (10**9,)
    assert x[10**9 - 1, 10**9 - 1].shape == ()


def test_every_number_of_the_meta_device_is_the_one_there_is():
    assert torch.empty(2, device="meta:1").device == torch.device("meta")


@pytest.mark.parametrize("read", [lambda x: x.cpu(), lambda x: x.tolist(), lambda x: torch.ones(2).copy_(x)])
def test_values_cannot_be_read(read):
    with pytest.raises(NotImplementedError, match=NO_DATA):
        read(torch.empty(2, device="meta"))


def test_the_value_of_a_single_number_cannot_be_read():
    with pytest.raises(RuntimeError, match=r"Tensor\.item\(\) cannot be called on meta tensors"):
        torch.empty((), device="meta").item()


def test_numpy_gets_no_array():
    with pytest.raises(TypeError, match="can't convert meta device type tensor to numpy"):
        np.asarray(torch.empty(2, device="meta"))


VALUE_DEPENDENT = {
    "nonzero": torch.nonzero,
    "masked_select": lambda x: torch.masked_select(x, x > 0),
    "bincount": lambda x: torch.bincount(x.long()),
}


@pytest.mark.parametrize("op", VALUE_DEPENDENT)
def test_results_that_depend_on_values_are_refused(op):
    with pytest.raises(NotImplementedError, match=f"aten::{op}: attempted to run this operator with Meta"):
        VALUE_DEPENDENT[op](torch.empty(2, device="meta"))


def test_values_written_under_a_mask_need_none():
    x = torch.empty(3, 4, device="meta")
    x[x > 0] = torch.empty(5, device="meta")
    assert x.shape == (3, 4)


def test_repeats_without_values_need_to_be_told_the_size():
    x, repeats = torch.empty(3, 4, device="meta"), torch.empty(3, dtype=torch.int64, device="meta")
    assert x.repeat_interleave(repeats, 0, output_size=9).shape == (9, 4)
    with pytest.raises(RuntimeError, match="cannot repeat_interleave a meta tensor without output_size"):
        x.repeat_interleave(repeats, 0)


def test_sections_without_values_are_refused():
    with pytest.raises(RuntimeError, match="tensor_indices_or_sections to be on cpu, but it's on meta"):
        torch.ones(4).tensor_split(torch.empty((), dtype=torch.int64, device="meta"))


def test_a_masked_mean_counts_on_the_device_of_its_input():
    assert torch.masked.mean(torch.empty(3, 4, device="meta"), dim=0).shape == (4,)


def test_a_copy_of_values_onto_it_is_only_a_shape():
    x = torch.empty(2, device="meta").copy_(torch.ones(2))
    assert x.is_meta


def test_operands_elsewhere_are_refused():
    with pytest.raises(RuntimeError, match="Tensor on device cpu is not on the expected device meta!"):
        torch.empty(2, device="meta") + torch.ones(2)


def test_copies_and_pickles_stay_on_it():
    x = torch.empty(3, 2, device="meta", requires_grad=True)
    for again in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert (again.shape, str(again.device), again.requires_grad) == ((3, 2), "meta", True)


def test_gradients_of_tensors_without_values_have_none_either():
    x = torch.empty(2, 3, device="meta", requires_grad=True)
    (x * 2).sum().backward()
    assert (x.grad.shape, str(x.grad.device)) == ((2, 3), "meta")


def test_a_model_is_built_there_and_given_memory_later():
    model = torch.nn.Sequential(torch.nn.Linear(4, 3, device="meta"), torch.nn.ReLU())
    assert model(torch.empty(5, 4, device="meta")).shape == (5, 3)
    weight = model[0].weight
    model.to_empty(device="cpu")
    assert str(model[0].weight.device) == "cpu"
    assert model[0].weight is not weight
    assert model(torch.ones(5, 4)).shape == (5, 3)


def test_a_model_without_values_cannot_be_moved():
    with pytest.raises(NotImplementedError, match=r"use torch\.nn\.Module\.to_empty\(\) instead"):
        torch.nn.Linear(2, 2, device="meta").to("cpu")


def test_new_tensors_go_there_in_its_context():
    with torch.device("meta"):
        assert torch.ones(2).is_meta
        assert torch.nn.Linear(2, 2).weight.is_meta


def test_nothing_is_drawn_for_a_tensor_without_values():
    torch.manual_seed(1)
    expected = torch.rand(2).tolist()
    torch.manual_seed(1)
    torch.rand(100, device="meta")
    assert torch.rand(2).tolist() == expected
