"""A pass that begins while a formula is worked out, through the very node whose formula it is."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.utils._python_dispatch import TorchDispatchMode


class GoesBackOnce(TorchDispatchMode):
    """Goes back through a graph the first time that an op of a formula is called."""

    def __init__(self, product: torch.Tensor, factor: torch.Tensor):
        super().__init__()
        self.product, self.factor, self.is_done = product, factor, False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if not self.is_done:
            self.is_done = True
            torch.autograd.grad(self.product, self.factor, torch.ones_like(self.product), retain_graph=True)
        return func(*args, **(kwargs or {}))


def test_both_passes_conjugate_what_was_saved():
    x, z = torch.tensor([1 + 2j], requires_grad=True), torch.tensor([3 - 1j], requires_grad=True)
    product = x * z
    start = torch.ones_like(product)
    with GoesBackOnce(product, x) as watched:
        grads = torch.autograd.grad(product, (x, z), start, retain_graph=True)
    assert watched.is_done
    assert [g.item() for g in grads] == [3 + 1j, 1 - 2j]
