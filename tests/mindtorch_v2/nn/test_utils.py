"""torch.nn.utils, nn.parallel without accelerators, and torch.func."""

from __future__ import annotations

import pytest

from .cases.utils import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_utilities_answer_as_torch_does(name):
    check("utils", name, CASES[name])
