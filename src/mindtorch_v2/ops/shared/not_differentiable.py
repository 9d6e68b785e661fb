# cython: annotation_typing=False
"""What torch cannot differentiate: some ops, which complain in backward, and some arguments, which do at once."""

from __future__ import annotations

from ...core.modes import is_grad_enabled

UNKNOWN = "torch::autograd::NotImplemented"


def unknown(name: str):
    """The derivative of such an op: a complaint."""
    def grads(grad):
        raise RuntimeError(f"derivative for aten::{name} is not implemented")
    return grads


def unknown_derivative(name: str):
    """The same in the words of torch's generated derivatives."""
    def grads(grad):
        raise NotImplementedError(f"the derivative for '{name}' is not implemented.")
    return grads


def no_complex_gradient(name: str, t) -> None:
    """Refuse a gradient to ops of which torch differentiates real results alone."""
    if t._mt_requires and is_grad_enabled():
        raise RuntimeError(f"{name} does not support automatic differentiation for outputs with complex dtype.")


def constant(function: str, name: str, t) -> None:
    """Refuse an argument that asks for a gradient where torch has no derivative."""
    if t is not None and t._mt_requires and is_grad_enabled():
        raise RuntimeError(f"The function '{function}' is not differentiable with respect to argument '{name}'. This "
                           "input cannot have requires_grad True.")
