"""scan: a function called on a carry and one slice after the other; all that it gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from ..utils._pytree import tree_flatten, tree_leaves, tree_unflatten

_TOO_FEW = "All xs leaves must at least have 'dim' number of dimensions and scan dimension > 0"


def _checked(combine_fn: Any, init: Any, leaves: list[Any], dim: Any, reverse: Any) -> None:
    if not callable(combine_fn):
        raise RuntimeError(f"Combine_fn must be a callable, but got {combine_fn}")
    if not isinstance(dim, int):
        raise RuntimeError(f"Dim must be an int, but got {type(dim)}")
    if not isinstance(reverse, bool):
        raise RuntimeError(f"Reverse must be a bool, but got {type(reverse)}")
    if not tree_leaves(init):
        raise RuntimeError("scan() operator requires init leaves.")
    for name, values in (("init", tree_leaves(init)), ("xs", leaves)):
        for value in values:
            if not isinstance(value, Tensor):
                raise RuntimeError(f"All {name} leaves must be a Tensor but got {value}")
    if any(leaf.ndim <= dim or leaf.shape[dim] == 0 for leaf in leaves):
        raise RuntimeError(_TOO_FEW)


def scan(combine_fn: Callable, init: Any, xs: Any, *, dim: int = 0, reverse: bool = False) -> tuple[Any, Any]:
    """The last carry, and what ``combine_fn(carry, x)`` gave beside carries, stacked in a new first dimension."""
    leaves, structure = tree_flatten(xs)
    _checked(combine_fn, init, leaves, dim, reverse)
    if not leaves:
        return init, []
    slices = list(zip(*[leaf.unbind(dim) for leaf in leaves]))
    carry, outputs, out_structure = init, [], None
    for part in reversed(slices) if reverse else slices:
        carry, output = combine_fn(carry, tree_unflatten(list(part), structure))
        values, out_structure = tree_flatten(output)
        outputs.append(values)
    if reverse:
        outputs.reverse()
    return carry, tree_unflatten([torch.stack(column) for column in zip(*outputs)], out_structure)
