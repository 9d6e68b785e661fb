"""What a row remembers of a call's inputs: shapes, types, strides and plain values, as one hashable key."""

from __future__ import annotations

from ..core import strided
from ..core.tensor import Tensor
from ..record.names import inputs


def describe(args):
    """The number under which these inputs are stored; equal inputs share it."""
    return inputs.number(tuple([_one(a) for a in args]))


def _one(value):
    if isinstance(value, Tensor):
        tensor: Tensor = value
        return (tensor.array.shape, tensor.dtype.name, strided.strides(tensor.array))
    if isinstance(value, (list, tuple)):
        return ("[]", *[_one(v) for v in value])
    if isinstance(value, (float, bool, complex, str)):
        return (type(value).__name__, value)  # 1, 1.0 and True are equal, but not the same input
    if value is None or isinstance(value, int):
        return value
    return ("code", getattr(value, "code", None))
