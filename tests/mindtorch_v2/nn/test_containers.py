"""Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from __future__ import annotations

import pytest

from .cases.containers import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_containers_behave_as_torch_does(name):
    check("containers", name, CASES[name])
