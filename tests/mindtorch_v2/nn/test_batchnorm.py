"""Layers that normalise by the statistics of a batch."""

from __future__ import annotations

import pytest

from .cases.batchnorm import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_batch_norm_computes_as_torch_does(name):
    check("batchnorm", name, CASES[name])
