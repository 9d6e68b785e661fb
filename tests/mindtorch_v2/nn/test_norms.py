"""Instance norms, lazy norms, SyncBatchNorm and norms over neighbouring channels."""

from __future__ import annotations

import pytest

from .cases.norms import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_norms_answer_as_torch_does(name):
    check("norms", name, CASES[name])
