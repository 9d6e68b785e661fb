"""Ops that torch cannot differentiate, and says so only when somebody goes back through them."""

from __future__ import annotations

UNKNOWN = "torch::autograd::NotImplemented"


def unknown(name: str):
    """The derivative of such an op: a complaint."""
    def grads(grad):
        raise RuntimeError(f"derivative for aten::{name} is not implemented")
    return grads
