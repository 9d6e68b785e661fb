"""An op that would write memory twice, or while it reads it, is refused where torch refuses it, and only there."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import mindtorch_v2 as torch

from .overlap_cases import CASES, outcome

DATA = Path(__file__).parents[1] / "data" / "overlaps.json.gz"
FACTS = json.loads(gzip.decompress(DATA.read_bytes()))


@pytest.mark.filterwarnings("ignore:Use of .* on expanded tensors is deprecated")
@pytest.mark.parametrize(("case", "fact"), list(zip(CASES, FACTS)), ids=[" ".join(case) for case in CASES])
def test_shared_memory_is_written_as_torch_writes_it(case, fact):
    assert outcome(torch, *case) == fact


@pytest.mark.parametrize("write", [
    lambda x: x.masked_fill_(torch.tensor([True, False, False]), 5.0),
    lambda x: x.index_fill_(0, torch.tensor([0]), 5.0),
    lambda x: x.index_put_((torch.tensor([0]),), torch.tensor(5.0)),
])
def test_indexed_write_to_an_expanded_tensor_warns(write):
    with pytest.warns(UserWarning, match=r"Use of \w+ on expanded tensors is deprecated"):
        write(torch.ones(1).expand(3))


def test_memory_seen_through_another_type_is_known_to_be_shared():
    x = torch.ones(4)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        x.view(torch.bool)[1:5].logical_and_(x)


def test_two_storages_on_one_numpy_array_are_not_looked_into():
    array = torch.arange(4.0).numpy()
    torch.from_numpy(array)[1:].add_(torch.from_numpy(array)[:-1])
    assert array[0] == 0.0
