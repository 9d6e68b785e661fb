"""torch.nn.init in every shape, type and place."""

from __future__ import annotations

import pytest

from .cases.init_edges import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_first_values_are_those_of_torch(name):
    check("init_edges", name, CASES[name])
