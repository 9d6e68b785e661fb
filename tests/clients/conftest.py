"""A browser for all tests of pages, where there is one."""

from __future__ import annotations

import pytest

from .chromium import PROGRAM, Chromium


@pytest.fixture(scope="session")
def browser():
    if PROGRAM is None:
        pytest.skip("Chromium is not installed")
    opened = Chromium()
    yield opened
    opened.close()
