"""torch.nn.init: the very same numbers for the same seed."""

from __future__ import annotations

import pytest

from .cases.init import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_weights_begin_as_torch_does(name):
    check("init", name, CASES[name], exact=True)
