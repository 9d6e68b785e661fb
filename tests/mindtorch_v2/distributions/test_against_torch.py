"""Every distribution answers as PyTorch's does: samples, densities, moments, gradients, complaints, rows."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import numpy as np
import pytest

import mindtorch_v2 as torch

from . import cases

FACTS = json.loads(gzip.open(Path(__file__).parents[1] / "data" / "distributions.json.gz").read())
RECORDED = FACTS["distributions"]
RTOL = {"float32": 3e-5, "float64": 1e-8}
ATOL = {"float32": 2e-6, "float64": 1e-10}


def codes_of(name: str) -> list[str]:
    return [f"{name}({arguments})" for arguments in cases.CASES[name]]


def differ(ours: list, theirs: list) -> bool:
    """Whether two tensors differ in type, shape, or in numbers beyond rounding."""
    if ours[:2] != theirs[:2]:
        return True
    kind = theirs[0]
    # What is infinite is printed as such, and stays so; what is tiny beside the rest is noise of rounding.
    scale = max([abs(v) for v in theirs[2] if math.isfinite(v)], default=0.0)
    return not np.allclose(ours[2], theirs[2], rtol=RTOL.get(kind, 0), atol=ATOL.get(kind, 0) * max(scale, 1),
                           equal_nan=True)


def differences(code: str, question: str) -> list[str]:
    ours, theirs = cases.ask(torch, code, question), RECORDED[code]["answers"][question]
    if "error" in theirs or "error" in ours:
        return [] if ours == theirs else [f"{code}.{question}: {ours}, torch has {theirs}"]
    found = []
    if differ(ours["answer"], theirs["answer"]):
        found.append(f"{code}.{question}: {ours['answer']}, torch has {theirs['answer']}")
    mine, recorded = ours["gradients"], theirs["gradients"]
    if isinstance(recorded, dict) and "modified by an inplace operation" in recorded["error"][1]:
        recorded = mine if isinstance(mine, dict) else recorded  # Wishart.rsample; versions of indices are not counted
    if isinstance(recorded, dict) or isinstance(mine, dict) or len(mine) != len(recorded):
        return found if mine == recorded else [*found, f"{code}.{question}: gradients {mine}, torch has {recorded}"]
    for ours_, theirs_ in zip(mine, recorded):
        if (ours_ is None) != (theirs_ is None) or ours_ is not None and differ(ours_, theirs_):
            found.append(f"{code}.{question}: gradient {ours_}, torch has {theirs_}")
    return found


@pytest.mark.parametrize("name", cases.CASES)
def test_answers_and_gradients_equal_torch(name):
    found = [line for code in codes_of(name) for question in cases.QUESTIONS for line in differences(code, question)]
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("name", cases.CASES)
def test_what_a_distribution_says_of_itself_equals_torch(name):
    for code in codes_of(name):
        assert cases.describe(torch, code) == RECORDED[code]["said"], code


@pytest.mark.parametrize("name", cases.CASES)
def test_rows_equal_torch(name):
    found = []
    for code in codes_of(name):
        ours, theirs = cases.all_rows(torch, code), RECORDED[code]["rows"]
        found += [f"{code}.{question}:\n{ours.get(question)}\ntorch has\n{theirs.get(question)}"
                  for question in {**ours, **theirs} if ours.get(question) != theirs.get(question)]
    assert found == [], "\n".join(found)
