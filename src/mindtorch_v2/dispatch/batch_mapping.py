"""Where members begin and end: batch dimensions taken off tensors, and put on again."""

from __future__ import annotations

from ..core.tensor import Tensor, ndim_of, shape_of
from . import batch_rules  # noqa: F401  rules are there before anything is batched
from .aten import aten
from .batch_call import moved, outside
from .batched import unwrap, wrap


def add_batch_dim(tensor: Tensor, dim: int, level: int) -> Tensor:
    """The tensor that stands for each member of a batch at a level."""
    return wrap(tensor, dim % ndim_of(tensor), level)


def remove_batch_dim(tensor: Tensor, level: int, size: int, dim: int) -> Tensor:
    """The whole of a batch, its batch dimension where it is wanted; what is the same for all members, once for each."""
    value, batch_dim = unwrap(tensor, level)
    rank = ndim_of(value) + (batch_dim is None)
    if not -rank <= dim < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")
    return outside(level, _placed, value, batch_dim, size, dim % rank)


def _placed(value: Tensor, batch_dim: int | None, size: int, dim: int) -> Tensor:
    if batch_dim is not None:
        return moved(value, batch_dim, dim)
    shape = list(shape_of(value))
    shape.insert(dim, size)
    return aten.expand(aten.unsqueeze(value, dim), tuple(shape))

