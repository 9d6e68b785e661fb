"""Mistakes are told with torch's type of error and torch's words."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import mindtorch_v2 as torch

from .mistakes import EXPRESSIONS, outcome

DATA = Path(__file__).parents[1] / "data" / "mistakes.json.gz"
FACTS = json.loads(gzip.decompress(DATA.read_bytes()))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_mistake_is_told_in_torch_s_words(expression):
    assert outcome(torch, expression) == FACTS[expression]
