"""resize_() when others look at the same memory: it moves, and they move along."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import mindtorch_v2 as torch

REFUSED = "Trying to resize storage that is not resizable"


def test_views_see_the_memory_that_resize_moved_to():
    x = torch.arange(4.0)
    views = [x[1:3], x.view(2, 2), x.detach(), x[::2]]
    x.resize_(100)
    x[:4] = torch.tensor([5.0, 6.0, 7.0, 8.0])
    assert [v.tolist() for v in views] == [[6.0, 7.0], [[5.0, 6.0], [7.0, 8.0]], [5.0, 6.0, 7.0, 8.0], [5.0, 7.0]]
    assert [v.storage_offset() for v in views] == [1, 0, 0, 0]
    assert {v.untyped_storage().nbytes() for v in views} == {400}


def test_a_view_that_grows_takes_its_base_along():
    x = torch.arange(4.0)
    tail = x[2:]
    tail.resize_(10)
    tail[0] = 9
    assert x.tolist() == [0.0, 1.0, 9.0, 3.0] and tail.storage_offset() == 2
    assert x.untyped_storage().nbytes() == 48


def test_views_of_another_type_move_along():
    x = torch.zeros(2, dtype=torch.complex64)
    imaginary, words = x.imag, torch.view_as_real(x).view(torch.int32)
    x.resize_(50)
    x[1] = 1j
    assert imaginary.tolist() == [0.0, 1.0] and words.tolist() == [[0, 0], [0, 0x3F800000]]


def test_an_output_that_is_resized_takes_its_views_along():
    out = torch.empty(2)
    second = out[1:]
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        torch.add(torch.arange(4.0), 1, out=out)
    assert out.tolist() == [1.0, 2.0, 3.0, 4.0] and second.tolist() == [2.0]


def test_a_gradient_that_needs_the_moved_tensor_notices_the_resize():
    w = torch.ones(3, requires_grad=True)
    x = torch.ones(3)
    y = (w * x).sum()
    x.resize_(30)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_resize_counts_as_a_write_only_where_the_shape_changes():
    x = torch.arange(4.0)
    versions = [x.resize_(n)._version for n in (4, 2, 9)]
    assert versions == [0, 1, 2] and x.resize_as_(torch.ones(1))._version == 3


@pytest.mark.parametrize("lent", [
    lambda: torch.from_numpy(np.arange(4.0)),
    lambda: torch.frombuffer(bytearray(16), dtype=torch.float32),
    lambda: torch.from_numpy(np.empty(0)),
])
def test_memory_of_others_does_not_grow(lent):
    with pytest.raises(RuntimeError, match=REFUSED):
        lent().resize_(10)


def test_memory_that_numpy_looks_at_does_not_grow():
    x = torch.arange(4.0)
    array = x[1:].numpy()
    with pytest.raises(RuntimeError, match=REFUSED):
        x.resize_(10)
    assert x.resize_(2).tolist() == [0.0, 1.0] and array.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize("operand", [0, 1])
def test_an_operand_that_is_resized_to_hold_the_result_is_read_before(operand):
    operands = [torch.arange(6.0).reshape(2, 3), torch.arange(12.0).reshape(3, 4)]
    expected = torch.mm(*operands).tolist()
    assert torch.mm(*operands, out=operands[operand]).tolist() == expected


def test_addmv_of_an_empty_matrix_takes_the_shape_of_its_summand():
    with pytest.warns(UserWarning, match="An output with one or more elements was resized"):
        assert torch.addmv(torch.ones(1), torch.empty(3, 0), torch.empty(0), beta=2).tolist() == [2.0]


@pytest.mark.parametrize("memory_format", [torch.contiguous_format, torch.channels_last])
def test_memory_for_the_only_tensor_on_a_storage_is_found_without_a_look_at_all_objects(monkeypatch, memory_format):
    monkeypatch.setattr(gc, "get_objects", None)
    assert torch.empty(0).resize_(2, 3, 4, 5, memory_format=memory_format).shape == (2, 3, 4, 5)
    assert torch.ones(3).resize_(4, 3, 2, 1, memory_format=memory_format).shape == (4, 3, 2, 1)
