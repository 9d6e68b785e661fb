"""torch.amp.GradScaler: scales, skipped steps, states and mistakes as PyTorch's."""

from __future__ import annotations

import pytest

from ..nn.cases.grad_scaler import CASES
from ..nn.recorded import check


@pytest.mark.parametrize("name", CASES)
def test_the_scaler_answers_as_torch_does(name):
    check("grad_scaler", name, CASES[name])
