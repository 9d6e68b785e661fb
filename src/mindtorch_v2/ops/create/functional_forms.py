"""Ops that write, as functions: on copies, which they return."""

from __future__ import annotations

from ...core.memory_overlap import is_expanded
from ...core.tensor import offset_of, shape_of, strides_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.not_differentiable import UNKNOWN, unknown


class FillWith(Op):
    """A tensor of the same shape that holds one number."""

    schema = "fill.Scalar(Tensor self, Scalar value) -> Tensor"

    def body(self, value):
        return aten.fill_(aten.empty_like(self), value)

    def grad_self(grad):
        return aten.zeros_like(grad)


class FillWithTensor(Op):
    """A tensor of the same shape that holds a tensor's only value."""

    schema = "fill.Tensor(Tensor self, Tensor value) -> Tensor"
    node = "FillBackward1"

    def body(self, value):
        return aten.fill_(aten.empty_like(self), value)

    def grad_self(grad):
        return aten.zeros_like(grad)

    def grad_value(grad):
        return aten.sum(grad)


class ZeroOf(Op):
    """A tensor of the same shape that holds zeros."""

    schema = "zero(Tensor self) -> Tensor"
    internal = "torch.ops.aten"

    def body(self):
        return aten.zero_(aten.clone(self))

    def grad_self(grad):
        return aten.zeros_like(grad)


class CopyOf(Op):
    """The values of a tensor in the memory layout of another."""

    schema = "copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor"
    internal = "torch.ops.aten"
    node, grads_of, grads = UNKNOWN, "self src", unknown("copy")

    def body(self, src, non_blocking):
        return aten.copy_(_with_strides(self), src, non_blocking)


def _with_strides(self):
    """A copy of all memory that a tensor looks at, seen as the tensor sees it."""
    if is_expanded(self):
        return aten.clone(self)
    shape, strides, offset = shape_of(self), strides_of(self), offset_of(self)
    count = 0 if 0 in shape else 1 + sum((n - 1) * step for n, step in zip(shape, strides))
    line = aten.as_strided(self, (count + offset,), (1,), 0)
    return aten.as_strided(aten.clone(line), shape, strides, offset)


class ForeachCopy(Op):
    """copy on every tensor of a list."""

    schema = "_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[] self_out"
    internal = "torch.ops.aten"
    node, grads_of, grads = UNKNOWN, "self src", unknown("_foreach_copy")

    def body(self, src, non_blocking):
        return tuple([aten.copy(t, s, non_blocking) for t, s in zip(self, src)])
