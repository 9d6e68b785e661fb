"""What hooks return in the place of gradients, checked as torch checks it."""

from __future__ import annotations

from ..core.tensor import Tensor


def replaced(changed, given: list, hook) -> list:
    """What a hook on a node returned in the place of gradients, if they may stand there."""
    if not isinstance(changed, tuple):
        if len(given) != 1 or not isinstance(changed, Tensor):
            raise TypeError(f"expected tuple, but hook returned '{type(changed).__name__}'")
        changed = (changed,)
    if len(changed) != len(given):
        raise RuntimeError(f"hook '{name_of(hook)}' has returned an incorrect number of values (got {len(changed)}, "
                           f"but expected {len(given)})")
    return [value if value is None else checked(value, before, hook) for value, before in zip(changed, given)]


def name_of(hook) -> str:
    return getattr(hook, "__name__", None) or type(hook).__name__


def checked(changed, given: Tensor | None, hook) -> Tensor:
    """What a hook returned in a gradient's place, if it may stand there."""
    if not isinstance(changed, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(changed).__name__}'")
    if given is not None and changed._mt_array.shape != given._mt_array.shape:
        raise RuntimeError(f"hook '{name_of(hook)}' has changed the size of value")
    return changed
