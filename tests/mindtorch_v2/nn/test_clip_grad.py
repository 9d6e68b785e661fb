"""torch.nn.utils: clipping gradients, parameters as one vector."""

from __future__ import annotations

import pytest

from .cases.clip_grad import CASES
from .recorded import check


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_clipped_as_torch_does(name):
    check("clip_grad", name, CASES[name])
