"""torch.utils._pytree: trees are taken apart, described and put together as torch does it."""

from __future__ import annotations

import runpy
from collections import OrderedDict, defaultdict, deque, namedtuple
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


def test_how_each_container_is_taken_apart_has_a_name():
    point, counts, queue = namedtuple("point", "x y"), defaultdict(int, a=1), deque([1, 2], 3)
    assert _pytree._namedtuple_flatten(point(1, 2)) == ([1, 2], point)
    assert _pytree._namedtuple_unflatten([3, 4], point) == point(3, 4)
    assert _pytree._defaultdict_flatten(counts) == ([1], [int, ["a"]])
    assert _pytree._defaultdict_unflatten([2], [int, ["a"]]) == {"a": 2}
    assert _pytree._deque_flatten(queue) == ([1, 2], 3) and _pytree._deque_unflatten([1, 2], 3) == queue
    assert _pytree._tuple_flatten((1, 2)) == ([1, 2], None) and _pytree._tuple_unflatten([1], None) == (1,)
    assert _pytree._ordereddict_unflatten([1], ["a"]) == OrderedDict(a=1)
