"""Every method and every mistake: hooks of modules."""

from __future__ import annotations

import pytest

from .cases.module_hooks import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_hooks_are_called_as_in_torch(name):
    check("module_hooks", name, CASES[name])
