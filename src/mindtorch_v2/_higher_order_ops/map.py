"""map: a function called on each slice of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.functions import torch
from ..core.tensor import Tensor
from ..utils._pytree import tree_flatten, tree_unflatten


def map(f: Callable, xs: Any, *args: Any) -> Any:  # noqa: A001  torch's name
    """What ``f(x, *args)`` gives for each slice along the first dimension, stacked there."""
    leaves, structure = tree_flatten(xs)
    if not all(isinstance(leaf, Tensor) for leaf in leaves):
        raise RuntimeError(f"Mapped xs can only consist of tensors. Got xs {leaves}.")
    shapes = [leaf.shape for leaf in leaves]
    if shapes[0][0] == 0:
        raise RuntimeError("Leading dimensions of mapped xs cannot be 0.")
    if any(shape[0] != shapes[0][0] for shape in shapes):
        raise RuntimeError(f"Leading dimensions of mapped xs must be consistent. Got shapes {shapes}.")
    results, out_structure = [], None
    for part in zip(*[leaf.unbind(0) for leaf in leaves]):
        values, out_structure = tree_flatten(f(tree_unflatten(list(part), structure), *args))
        results.append(values)
    return tree_unflatten([torch.stack(column) for column in zip(*results)], out_structure)
