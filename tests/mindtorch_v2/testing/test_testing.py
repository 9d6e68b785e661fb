"""torch.testing against PyTorch's answers, as recorded by tools/record_testing.py."""

from __future__ import annotations

import json
import pathlib
import warnings

import pytest

import mindtorch_v2 as torch

from .cases import answer, cases

RECORDED = json.loads((pathlib.Path(__file__).parents[1] / "data" / "testing.json").read_text())
OURS = cases(torch)


def test_every_case_is_recorded():
    assert set(OURS) == set(RECORDED)


@pytest.mark.parametrize("name", OURS)
def test_answer_is_pytorchs(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine = answer(OURS[name])
    theirs = RECORDED[name]
    assert mine == (pytest.approx(theirs) if isinstance(theirs, list) and isinstance(theirs[0], float) else theirs)
