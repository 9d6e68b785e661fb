"""Sparse tensors say, show and refuse what PyTorch's do."""

from __future__ import annotations

import copy
import gzip
import json
import pathlib
import pickle

import pytest

import mindtorch_v2 as torch

from . import cases, gradient_cases, observing

RECORDED = json.loads(gzip.decompress((pathlib.Path(__file__).parents[1] / "data" / "sparse.json.gz").read_bytes()))
# How far numbers may lie apart: sums are added up in another order.
RELATIVE, ABSOLUTE = 2e-5, 1e-6


def as_recorded(value):
    return json.loads(json.dumps(value, default=str))


def same(value, wanted) -> bool:
    if isinstance(wanted, dict):
        return isinstance(value, dict) and value.keys() == wanted.keys() and all(
            same(value[name], wanted[name]) for name in wanted)
    if isinstance(wanted, list):
        return isinstance(value, list) and len(value) == len(wanted) and all(map(same, value, wanted))
    if isinstance(wanted, float) and isinstance(value, float):
        return value == pytest.approx(wanted, rel=RELATIVE, abs=ABSOLUTE, nan_ok=True)
    return value == wanted


@pytest.mark.parametrize("statement", cases.ANSWERS)
def test_says_what_pytorch_says(statement):
    wanted = RECORDED["answers"][statement]
    answer = as_recorded(observing.answer(torch, statement))
    assert same(answer, wanted), f"{answer}\nwanted {wanted}"


@pytest.mark.parametrize("statement", gradient_cases.ROWS)
def test_shows_the_rows_of_pytorch(statement):
    assert settled(observing.rows(torch, statement)) == settled(RECORDED["rows"][statement])


def settled(rows: list) -> list:
    """Rows with memory that goes at one moment in one order."""
    ordered: list = []
    for row in rows:
        ordered.append(row)
        at = len(ordered) - 1
        while at and is_free(ordered[at]) and is_free(ordered[at - 1]) and ordered[at] < ordered[at - 1]:
            ordered[at - 1:at + 1] = ordered[at], ordered[at - 1]
            at -= 1
    return ordered


def is_free(row: list) -> bool:
    return isinstance(row[1], int) and row[1] < 0


def test_every_name_of_torch_sparse_is_here():
    lacking = {name for name in RECORDED["names"] if not hasattr(torch.sparse, name)}
    assert lacking <= {"Any", "DType", "DimOrDims", "TYPE_CHECKING", "torch"}  # what its file happens to import


def test_a_compressed_tensor_can_be_copied_deeply():
    tensor = torch.eye(3).to_sparse_csr()
    copied = copy.deepcopy(tensor)
    copied.values().mul_(2)
    assert [tensor.sum().item(), copied.sum().item()] == [3, 6]


def test_indices_outside_of_a_tensor_do_not_reach_compiled_loops():
    wild = torch.sparse_csr_tensor([0, 1, 9], [7, 1], [1.0, 2.0], (2, 2))
    with pytest.raises(RuntimeError, match="lead outside"):
        wild @ torch.ones(2, 2)
    with pytest.raises(IndexError, match="outside"):
        torch.zeros(2, 2) + torch.sparse_coo_tensor([[5], [5]], [1.0], (2, 2))


def test_a_damaged_sparse_tensor_is_not_loaded():
    wild = pickle.dumps(torch.sparse_coo_tensor([[5], [5]], [1.0], (2, 2)))
    with pytest.raises(RuntimeError, match="size is inconsistent with indices"):
        pickle.loads(wild)  # noqa: S301 - our own bytes


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_products_keep_sums_that_are_zero(layout):
    """As PyTorch does: which elements there are depends on places alone."""
    one, two = [torch.tensor(rows).to_sparse(layout=layout) for rows in ([[1.0, 1.0]], [[1.0], [-1.0]])]
    product = torch.sparse.mm(one, two)
    assert product.values().tolist() == [0.0] if layout is torch.sparse_csr else product._values().tolist() == [0.0]


@pytest.mark.parametrize("layout", [torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc])
def test_sums_of_tensors_that_keep_the_same_elements(layout):
    dense = torch.tensor([[1.0, 2.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0]])
    blocksize = (2, 2) if layout in (torch.sparse_bsr, torch.sparse_bsc) else None
    one, two = [t.to_sparse(layout=layout, blocksize=blocksize) for t in (dense, -dense)]
    total = torch.add(one, two, alpha=2)
    assert total.layout is layout and total.values().shape == one.values().shape
    assert torch.equal(total.to_dense(), -dense)
    total.values().zero_()
    assert torch.equal(one.to_dense(), dense)
