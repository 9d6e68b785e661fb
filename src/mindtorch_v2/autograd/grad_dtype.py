"""Tensor.grad_dtype: the type of a leaf's gradient, where it is not the leaf's own."""

from __future__ import annotations

from ..core.dtype import C_NAMES, DType
from ..core.fields import node_of
from ..core.tensor import Tensor
from .node import accumulator_of


def get(self: Tensor) -> DType | None:
    """The type that gradients of a leaf are cast to; None: whatever comes."""
    if node_of(self) is not None:
        raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
    return wanted(self)


def wanted(leaf: Tensor) -> DType | None:
    """The same of what is known to be a leaf: its accumulator tells, once there is one."""
    return leaf.dtype if leaf._mt_accumulator is None else leaf._mt_accumulator.outputs[0][1]


def put(self: Tensor, dtype: DType | None) -> None:
    if dtype is not None and not isinstance(dtype, DType):
        raise RuntimeError(f"grad_dtype must be a torch.dtype or None, but got {type(dtype).__name__}")
    if node_of(self) is not None:
        raise RuntimeError("grad_dtype can only be set on leaf tensors.")
    before = self._mt_grad
    if dtype is not None and before is not None and before.dtype is not dtype:
        raise RuntimeError(f"Cannot set grad_dtype to '{dtype.short}' because there is already a gradient with dtype "
                           f"'{C_NAMES[before.dtype.name]}'. Please clear the gradient (.grad = None) before changing "
                           "grad_dtype, or ensure the new grad_dtype matches the existing gradient's dtype.")
    node = accumulator_of(self)
    node.outputs = ((node.outputs[0][0], dtype),)
