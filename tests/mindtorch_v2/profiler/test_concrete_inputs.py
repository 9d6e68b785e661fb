"""Numbers, types and layouts that ops get stand in the profile as torch shows them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import mindtorch_v2 as torch

from .concrete import concrete_inputs

FACTS = json.loads(gzip.decompress((Path(__file__).parents[1] / "data" / "concrete_inputs.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def shown():
    return json.loads(json.dumps(concrete_inputs(torch)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", FACTS)
def test_concrete_inputs_are_torch_s(line, shown):
    assert [[name, repr(inputs)] for name, inputs in shown[line]] == \
        [[name, repr(inputs)] for name, inputs in FACTS[line]]
