"""Inputs divided among devices, outputs put together again, in whatever nest of containers they come."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from ...core.tensor import Tensor
from . import comm

__all__ = ["gather", "scatter", "scatter_kwargs"]


def is_namedtuple(obj) -> bool:
    """Whether an object is of a class that collections.namedtuple made."""
    warnings.warn("`is_namedtuple` is deprecated, please use the python checks instead", FutureWarning, stacklevel=2)
    return _is_namedtuple(obj)


def _is_namedtuple(obj) -> bool:
    return isinstance(obj, tuple) and hasattr(obj, "_asdict") and hasattr(obj, "_fields")


def scatter(inputs, target_gpus: Sequence, dim: int = 0):
    """A list of inputs, one for each device: tensors are divided, everything else is the same for all."""
    if isinstance(inputs, Tensor):
        return comm.scatter(inputs, target_gpus, None, dim)
    if isinstance(inputs, (tuple, list, dict)) and len(inputs) > 0:
        parts = inputs.items() if isinstance(inputs, dict) else inputs
        for_each = zip(*[scatter(part, target_gpus, dim) for part in parts])
        if _is_namedtuple(inputs):
            return [type(inputs)(*each) for each in for_each]
        if isinstance(inputs, tuple):
            return list(for_each)
        return [(list if isinstance(inputs, list) else type(inputs))(each) for each in for_each]
    return [inputs for _ in target_gpus]


def scatter_kwargs(inputs: tuple, kwargs: dict | None, target_gpus: Sequence,
                   dim: int = 0) -> tuple[tuple, tuple[dict, ...]]:
    """The same for arguments by position and by name, as many of each."""
    by_position = scatter(inputs, target_gpus, dim) if inputs else []
    by_name = scatter(kwargs, target_gpus, dim) if kwargs else []
    by_position.extend(() for _ in range(len(by_name) - len(by_position)))
    by_name.extend({} for _ in range(len(by_position) - len(by_name)))
    return tuple(by_position), tuple(by_name)


def gather(outputs: Sequence, target_device, dim: int = 0):
    """One output of those of several devices."""
    first = outputs[0]
    if isinstance(first, Tensor):
        raise AssertionError("Gather function not implemented for CPU tensors")
    if first is None:
        return None
    if isinstance(first, dict):
        if not all(len(first) == len(output) for output in outputs):
            raise ValueError("All dicts must have the same number of keys")
        return type(first)((key, gather([output[key] for output in outputs], target_device, dim)) for key in first)
    parts = [gather(each, target_device, dim) for each in zip(*outputs)]
    return type(first)._make(parts) if _is_namedtuple(first) else type(first)(parts)
