"""torch.cond and torch.while_loop: branches and loops that exporters can see; here they run as they stand."""

from __future__ import annotations

from collections.abc import Callable

from .core.tensor import Tensor, numel_of


def cond(pred, true_fn: Callable, false_fn: Callable, operands: tuple | list = ()):
    """What one of two functions makes of the operands."""
    if isinstance(pred, Tensor) and numel_of(pred) != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    return (true_fn if pred else false_fn)(*operands)


def while_loop(cond_fn: Callable, body_fn: Callable, carried_inputs: tuple | list):
    """What becomes of inputs that a function is called on as long as a condition holds."""
    carried = tuple(carried_inputs)
    while cond_fn(*carried):
        carried = body_fn(*carried)
        if not isinstance(carried, (tuple, list)):
            raise RuntimeError(f"body_fn should return a tuple but got {type(carried)}")
    return tuple(carried)


__all__ = ["cond", "while_loop"]
