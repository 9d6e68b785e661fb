"""UntypedStorage.resize_: memory is given back and asked for again under tensors that stay."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.profiler import profile


def test_a_tensor_gets_its_values_back_when_its_storage_grows_back():
    x = torch.arange(6.0).reshape(2, 3)
    column, storage = x[:, 1], x.untyped_storage()
    assert storage.resize_(0) is storage and storage.nbytes() == 0
    assert (x.shape, x.stride(), column.storage_offset()) == ((2, 3), (3, 1), 1)
    storage.resize_(24)
    x.copy_(torch.ones(2, 3))
    assert column.tolist() == [1, 1] and torch.equal(x, torch.ones(2, 3))


def test_the_bytes_that_there_is_room_for_stay():
    x = torch.arange(6.0)
    x.untyped_storage().resize_(12)
    assert x[:3].tolist() == [0, 1, 2]
    x.untyped_storage().resize_(48)
    assert x[:3].tolist() == [0, 1, 2] and x.untyped_storage().nbytes() == 48


def test_no_view_reaches_past_the_end():
    x = torch.arange(6.0)
    x.untyped_storage().resize_(12)
    with pytest.raises(RuntimeError, match="requiring a storage size of 24 are out of bounds for storage of size 12"):
        x[3:]


def test_what_is_past_the_end_reads_as_zero():
    x = torch.ones(6)
    x.untyped_storage().resize_(0)
    assert x.tolist() == [0.0] * 6


def test_a_memory_profile_sees_the_release_and_the_allocation():
    x = torch.ones(1000)
    with profile(profile_memory=True) as prof:
        x.untyped_storage().resize_(0)
        x.untyped_storage().resize_(4000)
    changes = [event.cpu_memory_usage for event in prof.events() if event.name == "[memory]"]
    assert changes == [4000]  # torch, too, tells no release of what was made before


@pytest.mark.parametrize(("size", "text"), [(1.5, "an int, but got float"), (-1, "a number of bytes, but got -1")])
def test_a_size_is_a_number_of_bytes(size, text):
    with pytest.raises(RuntimeError, match=text):
        torch.ones(1).untyped_storage().resize_(size)


def test_memory_that_others_know_is_not_moved():
    shared = torch.ones(3).share_memory_()
    with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
        shared.untyped_storage().resize_(0)


def test_a_storage_of_the_meta_device_has_any_size():
    storage = torch.ones(3, device="meta").untyped_storage()
    assert storage.resize_(40).nbytes() == 40


def test_a_typed_storage_counts_elements():
    x = torch.arange(4.0)
    x._typed_storage().resize_(2)
    assert x._typed_storage().tolist() == [0, 1]
