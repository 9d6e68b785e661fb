"""Conjugates of sparse tensors are carried out at once; nothing else changes complex values."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_conjugates_of_sparse_tensors(layout):
    dense = torch.tensor([[1 + 2j, 0], [0, 3 - 1j]])
    x = dense.to_sparse(layout=layout)
    assert x.conj().to_dense().tolist() == dense.conj().tolist()
    assert x.conj_physical().to_dense().tolist() == dense.conj().tolist()
    assert x.resolve_conj().to_dense().tolist() == (+x).to_dense().tolist() == dense.tolist()
