"""torch.nn.functional."""

from __future__ import annotations

import pytest

from .cases.functional import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_functions_compute_as_torch_does(name):
    check("functional", name, CASES[name])
