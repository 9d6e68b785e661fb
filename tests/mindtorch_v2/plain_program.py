"""A fixture for tests of what plain programs do, which a conftest imports."""

from __future__ import annotations

import gc

import pytest

from mindtorch_v2.core import modes


@pytest.fixture(autouse=True)
def plain_program() -> None:
    """Collect what an earlier test left in cycles: while a sparse tensor or one of a subclass that overrides functions
    lives, no op takes its short way."""
    if modes.count_reasons():
        gc.collect()
