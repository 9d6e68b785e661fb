"""Tensors inside of vmap: one tensor that stands for a batch of them, computed on as a whole.

A batched tensor shows the shape of one member of the batch. Its kind holds the whole: the tensor with the batch
dimension, which may itself be batched at an outer level. A call on batched tensors becomes a call on the wholes
(batch_rules.py), and autograd watches that call as it does any other: so gradients flow to whatever was made outside
of the level, and those of a captured weight are added up over the batch. What is made a leaf inside of a level, as by
torch.func.grad, is lifted to it: autograd then also watches the call on single members, above the whole one.
"""

from __future__ import annotations

from textwrap import indent

import numpy as np

from ..core.kinds import Kind
from ..core.pending import is_conj, is_neg
from ..core.tensor import Tensor, share_storage
from ..opdef.operator import Operator
from . import batch_levels


class Batched(Kind):
    """What a batched tensor is made of: the whole, its batch dimension (None where all are the same), the level."""

    rank = 100
    holds_many = True

    def __init__(self, value: Tensor, dim: int | None, level: int):
        super().__init__()
        self.value, self.dim, self.level = value, dim, level
        self.layout, self.conj, self.neg = value.layout, is_conj(value), is_neg(value)

    def text(self, text_of) -> str | None:
        whole = indent(text_of(self.value), " " * 4)
        head = f"GradTrackingTensor(lvl={self.level}" if self.dim is None else \
            f"BatchedTensor(lvl={self.level}, bdim={self.dim}"
        return f"{head}, value=\n{whole}\n)"

    def check_memory(self, name: str) -> None:
        if name == "data_ptr":
            self.check_single()

    def check_single(self, text: str | None = None, error: type = RuntimeError) -> None:
        raise error(text or "Cannot access data pointer of Tensor that doesn't have storage")

    def check_format(self) -> None:
        raise RuntimeError("NYI: querying is_contiguous inside of vmap for memory_format other than "
                           "torch.contiguous_format")

    @classmethod
    def compute(cls, op: Operator, args: tuple):
        from . import batch_rules  # the rules are written in ops, whose dispatcher asks this class
        return batch_rules.apply(op, args)


def wrap(value: Tensor, dim: int | None, level: int) -> Tensor:
    """The tensor that stands for each member of a batch."""
    member = share_storage(value, member_array(value._mt_array, dim))
    member._mt_kind = Batched(value, dim, level)
    return member


def member_array(array: np.ndarray, dim: int | None) -> np.ndarray:
    """An array of the geometry of one member: the first, or memory of nobody's where there is none."""
    if dim is None:
        return array
    if array.shape[dim] == 0:
        return np.empty((*array.shape[:dim], *array.shape[dim + 1:]), array.dtype)
    return array[(*(slice(None),) * dim, 0, Ellipsis)]


def unwrap(tensor: Tensor, level: int) -> tuple[Tensor, int | None]:
    """The whole of a tensor at a level and its batch dimension; a tensor that is not of this level, as it is."""
    kind = tensor._mt_kind
    if type(kind) is Batched and kind.level == level:
        return kind.value, kind.dim
    return tensor, None


def level_of(tensor: Tensor) -> int:
    """The level at which a tensor is batched or was lifted to; 0 for all others."""
    kind = tensor._mt_kind
    return kind.level if type(kind) is Batched else 0


def lift_to_active_levels(tensor: Tensor) -> Tensor:
    """A tensor as one of the innermost vmap, so that what becomes of it there is watched member by member.

    torch.func.grad lifts what it differentiates by before it becomes a leaf: a weight that all members share then gets
    a gradient for each of them. Outside of vmap, and for tensors of the innermost level, it is the tensor itself.
    """
    level = batch_levels.innermost()
    if level is None or level_of(tensor) == level.number:
        return tensor
    return wrap(tensor, None, level.number)
