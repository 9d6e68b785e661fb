"""Layers: their text, their numbers, their checks."""

from __future__ import annotations

import pytest

from .cases.layers import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_layers_compute_as_torch_does(name):
    check("layers", name, CASES[name])
