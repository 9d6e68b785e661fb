"""Several processes against PyTorch's, as recorded by tools/record_distributed.py."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import mindtorch_v2 as torch

from . import scenarios

pytestmark = pytest.mark.slow  # processes and threads of their own, apart from tests of profiles

RECORDED = json.loads(gzip.decompress((Path(__file__).parents[1] / "data" / "distributed.json.gz").read_bytes()))


def close(found, expected) -> bool:
    """Equal, with numbers compared as float32 results are."""
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(map(close, found, expected))
    return found == (pytest.approx(expected, rel=1e-4, abs=1e-5) if isinstance(expected, float) else expected)


@pytest.mark.parametrize("size", scenarios.SIZES)
@pytest.mark.parametrize("scenario", scenarios.SCENARIOS)
def test_processes_find_together_what_pytorchs_find(scenario, size):
    found, expected = scenarios.outcome(torch, scenario, size), RECORDED[f"{scenario} of {size}"]
    assert close(found, expected), (found, expected)
