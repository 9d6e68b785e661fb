"""torch.nn.Module and Parameter."""

from __future__ import annotations

import pytest

from .cases.module import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_modules_behave_as_torch_does(name):
    check("module", name, CASES[name])
