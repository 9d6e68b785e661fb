"""NumPy, DLPack, storages, copies: who shares memory with whom."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import mindtorch_v2 as torch


def test_numpy_shares_memory():
    x = torch.zeros(2, 3)
    x.t().numpy()[0, 1] = 7
    assert x.tolist() == [[0, 0, 0], [7, 0, 0]]


def test_an_array_keeps_the_memory_alive():
    array = torch.ones(1000).numpy()
    torch.zeros(1000)
    assert array.sum() == 1000


def test_numpy_refuses_what_requires_a_gradient_unless_forced():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="Can't call numpy\\(\\) on Tensor that requires grad"):
        x.numpy()
    assert x.numpy(force=True).tolist() == [1, 1]


def test_numpy_has_no_bfloat16():
    with pytest.raises(TypeError, match="Got unsupported ScalarType BFloat16"):
        torch.ones(2, dtype=torch.bfloat16).numpy()


def test_numpy_functions_give_tensors():
    assert isinstance(np.sin(torch.ones(2)), torch.Tensor)


def test_asarray_casts_where_it_is_told():
    assert np.asarray(torch.ones(2), dtype=np.float64).dtype == np.float64


def test_dlpack_shares_memory_both_ways():
    array = np.zeros(2)
    torch.from_dlpack(array).add_(1)
    x = torch.zeros(2)
    np.from_dlpack(x)[0] = 3
    assert array.tolist() == [1, 1]
    assert x.tolist() == [3, 0]


def test_dlpack_refuses_what_requires_a_gradient():
    with pytest.raises(BufferError, match="Can't export tensors that require gradient, use tensor.detach\\(\\)"):
        torch.ones(2, requires_grad=True).__dlpack__()


def test_data_shares_memory_but_not_history_nor_versions():
    x = torch.ones(2, requires_grad=True)
    x.data.add_(1)
    assert x.tolist() == [2, 2]
    assert x._version == 0
    assert not x.data.requires_grad


def test_setting_data_replaces_the_values():
    x = torch.ones(2, requires_grad=True)
    x.data = torch.zeros(3)
    assert x.shape == (3,)
    assert x.requires_grad


def test_set_shows_another_storage():
    x, y = torch.zeros(4), torch.empty(0)
    y.set_(x.untyped_storage(), 1, (2,), (2,))
    y.fill_(5)
    assert x.tolist() == [0, 5, 0, 5]


def test_set_refuses_another_type():
    with pytest.raises(RuntimeError, match="Could not set tensor of type long int to a tensor of type float"):
        torch.empty(0).set_(torch.ones(2, dtype=torch.int64))


def test_a_storage_counts_bytes():
    x = torch.ones(3)
    assert x.untyped_storage().nbytes() == len(x.untyped_storage()) == 12
    assert x[1:].untyped_storage().data_ptr() == x.data_ptr()


def test_deepcopy_copies_a_storage_once():
    x = torch.zeros(4)
    whole, part = copy.deepcopy([x, x[2:]])
    part.fill_(3)
    assert whole.tolist() == [0, 0, 3, 3]
    assert x.tolist() == [0, 0, 0, 0]


def test_deepcopy_keeps_gradient_and_wish_for_it():
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.full((2,), 3.0)
    made = copy.deepcopy(x)
    assert made.requires_grad
    assert made.grad.tolist() == [3, 3]
    assert made.grad is not x.grad


def test_deepcopy_refuses_results():
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(torch.ones(2, requires_grad=True) * 2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.bool, torch.complex64], ids=str)
def test_pickle_restores_values_strides_and_type(dtype):
    x = torch.arange(6).to(dtype).view(2, 3).t()
    made = pickle.loads(pickle.dumps(x))
    assert made.dtype is dtype
    assert made.stride() == (1, 3)
    assert made.tolist() == x.tolist()


def test_pickle_keeps_the_wish_for_a_gradient():
    assert pickle.loads(pickle.dumps(torch.ones(2, requires_grad=True))).requires_grad
