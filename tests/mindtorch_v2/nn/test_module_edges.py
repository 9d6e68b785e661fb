"""Every method and every mistake: the whole of nn.Module."""

from __future__ import annotations

import pytest

from .cases.module_edges import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_modules_answer_as_in_torch(name):
    check("module_edges", name, CASES[name])
