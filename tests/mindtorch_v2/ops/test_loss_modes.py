"""Derivatives of losses while somebody watches every op."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.utils._python_dispatch import TorchDispatchMode


class Names(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(func.name())
        return func(*args, **(kwargs or {}))


def test_a_mode_is_shown_no_write_into_what_a_derivative_makes():
    x = torch.zeros(2, requires_grad=True)
    with Names() as mode:
        torch.nn.functional.binary_cross_entropy_with_logits(x, torch.ones(2)).backward()
    start = mode.names.index("aten::sigmoid")
    assert mode.names[start:start + 3] == ["aten::sigmoid", "aten::sub.Tensor", "aten::mul.Tensor"]
    assert x.grad.tolist() == [-0.25, -0.25]
