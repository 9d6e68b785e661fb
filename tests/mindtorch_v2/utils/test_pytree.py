"""torch.utils._pytree: trees are taken apart, described and put together as torch does it."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.utils import _pytree

from ..overrides_recorded import FACTS

CASES = runpy.run_path(str(Path(__file__).parent / "pytree_cases.py"))  # as the recorder reads it
OURS = CASES["cases"](torch, _pytree)


@pytest.mark.parametrize("label", FACTS["pytree"])
def test_trees_are_torchs(label):
    assert OURS[label] == FACTS["pytree"][label]


def test_named_results_are_trees_of_their_fields():
    made = torch.max(torch.ones(2, 2), 0)
    doubled = _pytree.tree_map(lambda t: t * 2, made)
    assert type(doubled) is type(made)
    assert doubled.values.tolist() == [2.0, 2.0]
