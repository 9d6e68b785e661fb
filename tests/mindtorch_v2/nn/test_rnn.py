"""Recurrent layers, cells and packed sequences: their text, their numbers, their checks."""

from __future__ import annotations

import pytest

from .cases.rnn import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_recurrent_layers_compute_as_torch_does(name):
    check("rnn", name, CASES[name])
