"""Settings for the tests of ops."""

from __future__ import annotations

import pytest

import mindtorch_v2 as torch

from ..plain_program import plain_program  # noqa: F401  for every test here


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """PyTorch's answers were recorded on one thread: it chooses some of its ways, and so its rows, by their number."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
