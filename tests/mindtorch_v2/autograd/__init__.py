"""torch.autograd by subject; ``backward`` and ``grad`` themselves are in ../test_autograd_api.py."""

from __future__ import annotations

import mindtorch_v2 as torch


def leaf(*values: float):
    return torch.tensor(values, requires_grad=True)
