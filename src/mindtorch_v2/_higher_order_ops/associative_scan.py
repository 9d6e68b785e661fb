"""associative_scan: all partial results of combining the slices of tensors one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from ..utils._pytree import tree_flatten, tree_unflatten


def associative_scan(combine_fn: Callable, xs: Any, dim: int, reverse: bool = False,
                     combine_mode: str = "pointwise") -> Any:
    """At each place along ``dim`` the combination of all slices up to there; of many tensors at once, if xs holds many.

    ``combine_fn(a, b)`` takes and gives what xs holds, without that dimension.
    """
    if not callable(combine_fn):
        raise ValueError(f"Combine_fn must be a callable, but got {combine_fn}")
    if combine_mode not in ("pointwise", "generic"):
        raise ValueError(f"Combine_mode must either 'pointwise' or 'generic', but got {combine_mode}")
    leaves, structure = tree_flatten(xs)
    if not leaves or not all(isinstance(leaf, Tensor) for leaf in leaves):
        raise ValueError("xs leaves must be Tensors, and at least one")
    slices = list(zip(*[leaf.unbind(dim) for leaf in leaves]))
    if reverse:
        slices.reverse()
    results = slices[:1]
    for part in slices[1:]:
        combined = combine_fn(tree_unflatten(list(results[-1]), structure), tree_unflatten(list(part), structure))
        results.append(tuple(tree_flatten(combined)[0]))
    if reverse:
        results.reverse()
    return tree_unflatten([torch.stack(column, dim) for column in zip(*results)], structure)
