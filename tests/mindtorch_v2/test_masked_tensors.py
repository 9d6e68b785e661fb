"""Tensors with a mask of their own against PyTorch's, as recorded by tools/record_masked.py."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import mindtorch_v2 as torch

from . import masked_tensors

RECORDED = json.loads(gzip.decompress((Path(__file__).parent / "data" / "masked_tensors.json.gz").read_bytes()))


@pytest.fixture(scope="module")
def answers():
    return masked_tensors.answers(torch)


@pytest.mark.parametrize("question", RECORDED)
def test_a_masked_tensor_answers_as_pytorchs(answers, question):
    assert answers[question] == RECORDED[question]
