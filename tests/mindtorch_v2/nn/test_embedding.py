"""Tables looked up by number, row by row and in bags."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch
from mindtorch_v2 import nn

from .cases.embedding import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_tables_compute_as_torch_does(name):
    check("embedding", name, CASES[name])


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags_have_shapes_on_the_meta_device(mode):
    x, o = torch.empty(7, dtype=torch.int64, device="meta"), torch.empty(3, dtype=torch.int64, device="meta")
    y = nn.EmbeddingBag(10, 4, mode=mode, device="meta")(x, o)
    y.sum().backward()
    assert y.shape == (3, 4)


def test_rows_behind_the_last_offset_get_no_gradient():
    w, p = torch.ones(5, 2, requires_grad=True), torch.ones(4, requires_grad=True)
    bags = nn.functional.embedding_bag(torch.tensor([1, 2, 3, 4]), w, torch.tensor([0, 1, 3]), mode="sum",
                                       per_sample_weights=p, include_last_offset=True)
    bags.sum().backward()
    assert w.grad[:, 0].tolist() == [0, 1, 1, 1, 0]
    assert p.grad.tolist() == [2, 2, 2, 0]
