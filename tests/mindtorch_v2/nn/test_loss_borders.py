"""Losses, activations and distances at their borders."""

from __future__ import annotations

import pytest

from .cases.loss_borders import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_borders_are_those_of_torch(name):
    check("loss_borders", name, CASES[name])
