"""torch.func, torch.autograd.forward_ad and forward Jacobians give what PyTorch gives, or end in its errors."""

from __future__ import annotations

import gzip
import json
import pathlib

import pytest

import mindtorch_v2 as torch

from . import derivative_cases
from .observed import observed

DATA = pathlib.Path(__file__).parent.parent / "data" / "derivatives.json.gz"
RECORDED = json.loads(gzip.decompress(DATA.read_bytes()))["expressions"]


def same(ours, theirs) -> bool:
    if isinstance(theirs, dict) and "tensor" in theirs:
        *facts, numbers = theirs["tensor"]
        *own_facts, own_numbers = ours["tensor"]
        return own_facts == facts and own_numbers == pytest.approx(numbers, rel=1e-6, abs=1e-9)
    if isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(ours[key], theirs[key]) for key in theirs)
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return ours == theirs


@pytest.mark.parametrize("expression", derivative_cases.lines(derivative_cases.VALUES))
def test_value_equals_torch(expression):
    ours = observed(torch, derivative_cases.scope(torch), expression)
    assert same(ours, RECORDED[expression]), f"{ours}, torch has {RECORDED[expression]}"


@pytest.mark.parametrize("expression", derivative_cases.lines(derivative_cases.ERRORS))
def test_error_equals_torch(expression):
    assert observed(torch, derivative_cases.scope(torch), expression) == RECORDED[expression]
