"""Layers that pad, and convolutions of padded inputs."""

from __future__ import annotations

import pytest

from .cases.padding import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_padding_computes_as_torch_does(name):
    check("padding", name, CASES[name])
