"""Storages from Python's buffers and from files, and as numbers of other types."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import mindtorch_v2 as torch

COUNTING = bytes(range(16))


def test_a_pickled_object_travels_as_a_tensor_of_bytes():
    content = pickle.dumps({"rank": 3})
    sent = torch.ByteTensor(torch.ByteStorage.from_buffer(content))
    assert pickle.loads(sent.numpy().tobytes()) == {"rank": 3}


@pytest.mark.parametrize(("order", "values"), [("little", [117835012, 185207048]), ("big", [67438087, 134810123])])
def test_a_buffer_is_read_in_its_byte_order(order, values):
    assert torch.IntStorage.from_buffer(COUNTING, order, 2, 4).tolist() == values
    assert torch.TypedStorage.from_buffer(COUNTING, order, 2, 4, dtype=torch.int32).tolist() == values


def test_a_buffer_is_copied():
    content = bytearray(2)
    storage = torch.ByteStorage.from_buffer(content)
    content[0] = 1
    assert storage.tolist() == [0, 0]


def test_every_byte_but_zero_is_true():
    assert torch.BoolStorage.from_buffer(COUNTING, "native").tolist() == [False] + [True] * 15


@pytest.mark.parametrize(("arguments", "error", "text"), [
    ((COUNTING,), RuntimeError, r"missing required argument 'byte_order' \(pos 2\)"),
    ((COUNTING, "middle"), ValueError, r"invalid byte_order 'middle' \(expected 'big', 'little', or 'native'\)"),
    ((COUNTING, "native", 5), ValueError, "only 4 elements after offset 0, but specified a size of 5"),
    ((COUNTING, "native", -1, 2), ValueError, r"buffer size \(16\) must be a multiple of element size \(4\)"),
    ((COUNTING, "native", -1, 20), ValueError, r"no greater than buffer length \(16\) , but got 20"),
    ((3, "native"), TypeError, "a bytes-like object is required, not 'int'"),
])
def test_a_buffer_that_cannot_be_read_is_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        torch.IntStorage.from_buffer(*arguments)


def test_only_typed_storages_are_told_a_type():
    with pytest.raises(RuntimeError, match="'dtype' can only be specified in UntypedStorage.from_buffer"):
        torch.ByteStorage.from_buffer(COUNTING, dtype=torch.uint8)
    with pytest.raises(RuntimeError, match="argument 'dtype' cannot be None"):
        torch.UntypedStorage.from_buffer(COUNTING)


def test_elements_of_a_file_are_mapped(tmp_path):
    path = tmp_path / "numbers"
    np.arange(4, dtype=np.float64).tofile(path)
    shared = torch.DoubleStorage.from_file(str(path), True, 4)
    shared[0] = 7
    assert np.fromfile(path).tolist() == [7, 1, 2, 3] and shared.filename == str(path)
    assert torch.DoubleStorage.from_file(str(path), False, 2).filename is None
    with pytest.raises(RuntimeError, match="from_file can only be called on derived classes"):
        torch.TypedStorage.from_file(str(path), False, 4)


def test_each_byte_of_an_untyped_storage_becomes_a_number():
    untyped = torch.tensor([1, 0, 255], dtype=torch.uint8).untyped_storage()
    assert untyped.float().tolist() == [1, 0, 255] and untyped.bool().tolist() == [True, False, True]
    assert untyped.type() == "torch.storage.UntypedStorage" and untyped.type(torch.IntStorage).dtype is torch.int32
