"""Tensor.storage() and the classes of typed storages."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

import mindtorch_v2 as torch


def test_a_storage_counts_elements_of_the_tensor_s_type():
    x = torch.arange(4.0)
    storage = x[1:].storage()
    assert (len(storage), storage.size(), storage.nbytes()) == (4, 4, 16)
    assert storage.dtype is torch.float32 and storage.device == x.device
    assert storage.tolist() == list(storage) == [0.0, 1.0, 2.0, 3.0]
    assert storage.data_ptr() == x.data_ptr()


def test_the_size_of_a_storage_as_an_object_has_its_bytes_in_it():
    small, large = torch.empty(10), torch.empty(1010)
    assert sys.getsizeof(large.storage()) - sys.getsizeof(small.storage()) == 4000
    assert sys.getsizeof(large.untyped_storage()) - sys.getsizeof(small.untyped_storage()) == 4000


def test_an_empty_tensor_s_storage_is_false():
    assert not torch.empty(0).storage() and torch.ones(1).storage()


def test_a_storage_writes_into_its_tensor():
    x = torch.arange(4.0)
    x.storage()[1] = 7
    assert x.tolist() == [0.0, 7.0, 2.0, 3.0]
    x.storage().fill_(2)
    assert x.tolist() == [2.0] * 4


def test_a_tensor_shows_a_typed_storage():
    x = torch.arange(4.0)
    y = torch.empty(0).set_(x.storage())
    y[0] = 5
    assert x[0].item() == 5


@pytest.mark.parametrize(("index", "error", "text"), [
    (7, IndexError, "index 7 out of range for storage of size 4"),
    (slice(2), RuntimeError, "slices are only supported in UntypedStorage.__getitem__"),
    ("a", RuntimeError, "can't index a")])
def test_a_typed_storage_is_read_by_one_position(index, error, text):
    with pytest.raises(error, match=text):
        torch.arange(4.0).storage()[index]


def test_the_classes_of_storages_make_and_know_their_own():
    storage = torch.FloatStorage([1, 2, 3])
    assert storage.tolist() == [1.0, 2.0, 3.0] and isinstance(storage, torch.FloatStorage)
    assert not isinstance(storage, torch.LongStorage) and torch.is_storage(storage)
    assert torch.ones(2, dtype=torch.int64).storage_type() is torch.LongStorage
    assert torch.storage.TypedStorage is torch.TypedStorage


def test_a_cast_storage_holds_the_same_numbers():
    storage = torch.arange(3.0).storage()
    assert storage.int().tolist() == [0, 1, 2] and storage.int().dtype is torch.int32
    assert storage.type() == "torch.FloatStorage" and storage.type("torch.LongStorage").dtype is torch.int64


def test_a_copied_or_pickled_storage_is_another():
    storage = torch.arange(3.0).storage()
    for made in (storage.clone(), pickle.loads(pickle.dumps(storage))):
        assert made.tolist() == storage.tolist() and made.data_ptr() != storage.data_ptr()


def test_a_slice_of_bytes_is_a_storage_of_its_own():
    storage = torch.arange(4, dtype=torch.uint8).untyped_storage()
    assert storage[1:3].tolist() == [1, 2] and isinstance(storage[1:3], torch.UntypedStorage)
    with pytest.raises(IndexError, match="index 9 out of range for storage of size 4"):
        storage[9]


def test_it_is_said_once_that_typed_storages_will_go():
    program = ("import warnings, mindtorch_v2 as torch\n"
               "with warnings.catch_warnings(record=True) as caught:\n"
               "    warnings.simplefilter('always')\n"
               "    torch.ones(1).storage()\n"
               "    torch.ones(1).storage()\n"
               "    torch.FloatStorage(2)\n"
               "print([(type(w.message).__name__, w.lineno, str(w.message)[:28]) for w in caught])\n")
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[('UserWarning', 4, 'TypedStorage is deprecated. ')]"


def test_a_storage_on_the_meta_device_has_a_size_and_no_values():
    storage = torch.TypedStorage(3, dtype=torch.float32, device="meta")
    assert (storage.device.type, storage.size()) == ("meta", 3) and storage.fill_(1) is storage
    for look in (storage.tolist, storage.untyped().tolist):
        with pytest.raises(NotImplementedError, match="Not available for 'meta' device type"):
            look()


def test_a_tensor_of_a_storage_copies_its_elements():
    storage = torch.arange(3.0).storage()
    assert torch.tensor(storage).tolist() == torch.tensor(storage, dtype=torch.int16).tolist() == [0, 1, 2]
    assert torch.tensor(storage.untyped(), dtype=torch.float32).tolist() == [0, 1, 2]


def test_a_storage_knows_the_file_it_was_mapped_from(tmp_path):
    path = tmp_path / "numbers"
    assert torch.ones(1).untyped_storage().filename is None
    assert torch.UntypedStorage.from_file(str(path), shared=True, nbytes=4).filename == str(path)
