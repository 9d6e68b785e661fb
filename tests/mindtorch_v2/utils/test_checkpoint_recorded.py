"""torch.utils.checkpoint beside PyTorch's recorded answers: values, gradients, random numbers, errors and warnings."""

from __future__ import annotations

import pytest

from ..nn.cases.checkpoint import CASES
from ..nn.recorded import check


@pytest.mark.parametrize("name", CASES)
def test_a_checkpoint_answers_as_torch_does(name):
    check("checkpoint", name, CASES[name])
