"""PyTorch's recorded answers, and how ours are held against them."""

from __future__ import annotations

import gzip
import json
import math
from functools import cache
from pathlib import Path

import mindtorch_v2 as torch

from .cases import answer

DATA = Path(__file__).parent.parent / "data/nn"


@cache
def recorded(subject: str) -> dict:
    """What PyTorch answered to the programs of a subject, by their names."""
    return json.loads(gzip.decompress((DATA / f"{subject}.json.gz").read_bytes()))


def check(subject: str, name: str, program: str, exact: bool = False) -> None:
    """Run a program here and compare with what it gave there."""
    found = json.loads(json.dumps(answer(torch, program)).replace("mindtorch_v2", "torch"))
    expected = recorded(subject)[name]
    assert same(found, expected, exact), f"\nfound    {found}\nexpected {expected}"


def same(found, expected, exact: bool) -> bool:
    """Equal in everything but the last digits of floating-point numbers."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and found.keys() == expected.keys() and all(
            same(found[k], expected[k], exact) for k in expected)
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) == len(expected) and all(
            same(f, e, exact) for f, e in zip(found, expected))
    if isinstance(expected, float) and isinstance(found, float) and not exact:
        return math.isclose(found, expected, rel_tol=2e-5, abs_tol=2e-6) or (math.isnan(found) and math.isnan(expected))
    return type(found) is type(expected) and found == expected
