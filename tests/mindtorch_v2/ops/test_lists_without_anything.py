"""Empty lists, and tensors without elements in a list."""

from __future__ import annotations

import copy
import pickle

import pytest

import mindtorch_v2 as torch


def test_empty_vectors_join_along_any_dimension():
    nothing = torch.zeros(0, requires_grad=True)
    joined = torch.cat([nothing, torch.zeros(0)], dim=3)
    joined.sum().backward()
    assert joined.shape == nothing.grad.shape == (0,)


def test_no_matrices_make_an_empty_one():
    assert torch.block_diag().shape == (1, 0)


def test_indexing_wants_an_index():
    with pytest.raises(IndexError, match="at least one index must be provided"):
        torch.ops.aten.index(torch.ones(3), [])


def test_a_dimension_of_one_has_any_stride_as_complex_numbers():
    assert torch.view_as_complex(torch.ones(4).as_strided((1, 2), (3, 1))).tolist() == [1 + 1j]


def test_shapes_are_ints_or_lists_of_them():
    with pytest.raises(RuntimeError, match="Input shapes should be of type ints, .* a list of ints, got 1.5"):
        torch.broadcast_shapes(1.5)


def test_a_grid_is_of_tensors_on_one_device():
    with pytest.raises(RuntimeError, match="meshgrid expects all tensors to have the same device"):
        torch.meshgrid(torch.ones(2), torch.ones(3, device="meta"), indexing="ij")


def test_a_result_is_pickled_as_a_leaf():
    result = pickle.loads(pickle.dumps(torch.ones(2, requires_grad=True) * 2))
    assert result.requires_grad and result.is_leaf and result.tolist() == [2, 2]


def test_an_op_s_packet_is_copied_and_pickled_as_itself():
    packet = torch.ops.aten.add
    assert copy.deepcopy(packet) is copy.copy(packet) is pickle.loads(pickle.dumps(packet)) is packet
