"""Older names of linear algebra tell once what to call instead."""

from __future__ import annotations

import warnings

import pytest

import mindtorch_v2 as torch
from mindtorch_v2.ops.shared import deprecations

MATRIX, SIDE = torch.tensor([[2.0, 1.0], [1.0, 3.0]]), torch.ones(2, 1)
CALLS = {
    "qr": lambda: torch.qr(MATRIX), "cholesky": lambda: torch.cholesky(MATRIX), "lu": lambda: torch.lu(MATRIX),
    "triangular_solve": lambda: torch.triangular_solve(SIDE, MATRIX),
    "chain_matmul": lambda: torch.chain_matmul(MATRIX, MATRIX),
    "lu_solve": lambda: torch.lu_solve(SIDE, *torch.linalg.lu_factor(MATRIX)),
    "cross": lambda: torch.cross(torch.ones(3), torch.ones(3)),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_older_name_warns_once(name, monkeypatch):
    monkeypatch.setattr(deprecations, "_told", set())
    with pytest.warns(UserWarning, match=f"torch.{name} .*deprecated"):
        CALLS[name]()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CALLS[name]()
