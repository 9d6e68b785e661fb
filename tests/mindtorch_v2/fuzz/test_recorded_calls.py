"""Random calls are answered as PyTorch answered them: values, types, shapes, memory, and what is refused."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict

import pytest

import mindtorch_v2 as torch

from .compare import SAME, kind_of
from .findings import as_written, brief
from .perform import perform
from .recorded import DATA, NOT_COMPARED, SIGNED


def _by_op() -> dict[str, list]:
    groups = defaultdict(list)
    for call, answer in json.loads(gzip.decompress(DATA.read_bytes())):
        groups[call["name"]].append((call, answer))
    return groups


CALLS = _by_op()


@pytest.mark.parametrize("name", sorted(CALLS))
def test_random_calls_are_answered_as_pytorch_does(name):
    differences = []
    for call, expected in CALLS[name]:
        answer = perform(torch, call)
        kind = kind_of(call, answer, expected)
        if kind != SAME and kind not in NOT_COMPARED and (kind, name) not in SIGNED:
            differences.append(f"{kind}: {as_written(call)}\n  ours:  {brief(answer)}\n  torch: {brief(expected)}")
    assert not differences, "\n".join(differences)
