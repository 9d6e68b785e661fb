"""Derivatives are the same where classes with a ``__torch_function__`` exist, though no tensor is of them."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.func import hessian


def curved(x: torch.Tensor) -> torch.Tensor:
    return (x.sin() * x.exp()).sum() + x.sigmoid().sum()


def test_forward_over_reverse_follows_saved_results():
    class Watching(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return super().__torch_function__(func, types, args, kwargs)

    x = torch.tensor([0.3, 0.5])
    assert issubclass(Watching, torch.Tensor)
    torch.testing.assert_close(hessian(curved)(x), torch.autograd.functional.hessian(curved, x))
