"""Nested tensors written and read: by pickle and by torch.save, as PyTorch writes them."""

from __future__ import annotations

import io
import pickle

import mindtorch_v2 as torch

TENSORS = [torch.arange(6.).view(2, 3), torch.zeros(1, 3)]


def test_a_nested_tensor_is_pickled_with_its_buffer_sizes_strides_and_offsets():
    function, parts = torch.nested.nested_tensor(TENSORS).__reduce_ex__(2)
    assert function.__name__ == "_rebuild_nested_tensor"
    buffer, sizes, strides, offsets = (part.tolist() for part in parts)
    assert (buffer, sizes) == ([0, 1, 2, 3, 4, 5, 0, 0, 0], [[2, 3], [1, 3]])
    assert (strides, offsets) == ([[3, 1], [3, 1]], [0, 6])


def test_what_was_pickled_or_saved_is_read_again():
    nested, file = torch.nested.nested_tensor(TENSORS), io.BytesIO()
    torch.save({"x": nested}, file)
    file.seek(0)
    for read in (pickle.loads(pickle.dumps(nested)), torch.load(file)["x"]):
        assert read.is_nested and [part.tolist() for part in read.unbind()] == [part.tolist() for part in TENSORS]
