"""Convolutions, Fold, Unfold and lazy layers."""

from __future__ import annotations

import pytest

from .cases.convolution import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_convolutions_compute_as_torch_does(name):
    check("convolution", name, CASES[name])
