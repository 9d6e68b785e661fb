"""torch.save and torch.load of tensors that are more than strided memory, and errors that are not the file's."""

from __future__ import annotations

import copy
import io

import pytest

import mindtorch_v2 as torch

from .test_saving_and_loading import reloaded, saved


@pytest.mark.parametrize("weights_only", [True, False])
def test_what_map_location_raises_is_raised_as_it_is(weights_only):
    content = saved(torch.ones(2))
    for place, wrong in ((lambda storage, location: {}[location], KeyError), (3, TypeError),
                         ({"cpu": torch.device("cpu")}, TypeError)):
        with pytest.raises(wrong):
            torch.load(io.BytesIO(content), map_location=place, weights_only=weights_only)


def test_sparse_tensors_are_checked_when_their_numbers_have_been_read():
    sparse = torch.sparse_coo_tensor([[0, 1]], [[1., 2.], [3., 4.]], (2, 2))
    content = saved({"coo": sparse, "csr": torch.eye(2).to_sparse_csr()}, _use_new_zipfile_serialization=False)
    found = torch.load(io.BytesIO(content), map_location=lambda storage, location: storage.fill_(255))
    assert found["coo"].to_dense().tolist() == [[1., 2.], [3., 4.]]
    assert found["csr"].to_dense().tolist() == torch.eye(2).tolist()


def test_sparse_tensors_of_older_files_are_checked_all_the_same():
    content = saved(torch.sparse_coo_tensor([[7]], [1.], (9,)), _use_new_zipfile_serialization=False)
    with pytest.raises(RuntimeError, match="size is inconsistent with indices"):
        torch.load(io.BytesIO(content.replace((7).to_bytes(8, "little"), (70).to_bytes(8, "little"))))


@pytest.mark.parametrize("is_zip", [True, False])
def test_jagged_tensors_keep_their_values_offsets_and_gradients(is_zip):
    parts = [torch.ones(2), torch.arange(3.)]
    jagged = torch.nested.nested_tensor(parts, layout=torch.jagged, requires_grad=True)
    content = saved([jagged, jagged.detach() * 2], _use_new_zipfile_serialization=is_zip)
    learning, doubled = torch.load(io.BytesIO(content))
    assert learning.requires_grad and learning.is_leaf and not doubled.requires_grad
    assert [part.tolist() for part in doubled.unbind()] == [[2., 2.], [0., 2., 4.]]
    assert learning.shape == doubled.shape and (learning._min_seqlen, learning._max_seqlen) == (2, 3)
    assert [part.tolist() for part in copy.copy(jagged).unbind()] == [part.tolist() for part in parts]


def test_an_added_global_without_a_name_only_matters_where_a_name_is_looked_for():
    with torch.serialization.safe_globals([3]):
        assert reloaded(torch.ones(2)).tolist() == [1., 1.]
