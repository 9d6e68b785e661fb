"""torch.cond and torch.while_loop: branches and loops that exporters can see; here they run as they stand."""

from __future__ import annotations

from collections.abc import Callable

from .core.tensor import Tensor, numel_of


def cond(pred, true_fn: Callable, false_fn: Callable, operands: tuple | list = ()):
    """What one of two functions makes of the operands."""
    if not isinstance(pred, (bool, Tensor)):
        raise RuntimeError(f"Expected pred to be bool or tensor, but got {pred}.")
    if isinstance(pred, Tensor) and numel_of(pred) != 1:
        raise RuntimeError(f"Expected pred to be bool or single-element tensor, but got {pred}.")
    if not callable(true_fn) or not callable(false_fn):
        raise RuntimeError("Expect both branches to be callable.")
    if not isinstance(operands, (tuple, list)) or not _only(operands, Tensor):
        raise RuntimeError("Expect operands to be a tuple of possibly nested dict/list/tuple that only consists of "
                           f"tensor leaves, but got {operands}.")
    return (true_fn if pred else false_fn)(*operands)


def _only(values, kinds) -> bool:
    """Whether containers hold nothing but these."""
    parts = values.values() if isinstance(values, dict) else values
    return all(_only(part, kinds) if isinstance(part, (tuple, list, dict)) else isinstance(part, kinds)
               for part in parts)


def while_loop(cond_fn: Callable, body_fn: Callable, carried_inputs: tuple | list):
    """What becomes of inputs that a function is called on as long as a condition holds."""
    if not callable(cond_fn) or not callable(body_fn):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    if not isinstance(carried_inputs, (tuple, list)):
        raise RuntimeError(f"carried_inputs must be a tuple or list but got {type(carried_inputs)}")
    if not _only(carried_inputs, (Tensor, int)):
        raise RuntimeError("Expect carried_inputs to be a tuple of possibly nested dict/list/tuple that onlyconsists "
                           f"of tensor or int leaves, but got {carried_inputs}.")
    carried = tuple(carried_inputs)
    while cond_fn(*carried):
        carried = body_fn(*carried)
        if not isinstance(carried, (tuple, list)):
            raise RuntimeError(f"body_fn should return a tuple but got {type(carried)}")
    return tuple(carried)


__all__ = ["cond", "while_loop"]
