"""Autocast on the CPU: the arguments of an op, in the types that its policy says."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core import modes
from ..core.autocast import cpu_dtype, is_autocast_cache_enabled, keep_cast, kept_cast
from ..core.device import CPU
from ..core.dtype import FLOATING, DType
from ..core.tensor import Tensor
from ..opdef.autocast_policy import LOWER_PRECISION, WIDEST
from ..opdef.operator import Operator
from . import pointwise


def cast_arguments(op: Operator, args: tuple) -> tuple:
    """All arguments, tensors among them cast: the last argument first, as torch does, and lists from their head."""
    dtype = cpu_dtype() if op.autocast == LOWER_PRECISION else dtypes.float32
    if op.autocast == WIDEST:
        dtype = _widest(op, args)
    cast = list(args)
    for i in range(len(args) - 1, -1, -1):
        value = args[i]
        if isinstance(value, Tensor):
            cast[i] = _in_type(value, dtype)
        elif i in op.lists and value is not None:
            cast[i] = type(value)([item if item is None else _in_type(item, dtype) for item in value])
    return tuple(cast)


def _is_eligible(tensor: Tensor) -> bool:
    """Whether autocast may touch a tensor: real numbers on the CPU, and none that somebody wanted in double."""
    return (tensor.dtype.category == FLOATING and tensor.dtype is not dtypes.float64
            and tensor.device.type == CPU.type)


def _in_type(tensor: Tensor, dtype: DType) -> Tensor:
    """A tensor in a type. Parameters are cast once, with their history, and kept until the outermost context ends."""
    if tensor.dtype is dtype or not _is_eligible(tensor):
        return tensor
    if not _is_kept(tensor, dtype):
        return pointwise.cast_to(tensor, dtype)
    cast = kept_cast(tensor, dtype)
    if cast is None:
        cast = _with_history(tensor, dtype)
        keep_cast(tensor, cast)
    return cast


def _is_kept(tensor: Tensor, dtype: DType) -> bool:
    return (dtype is cpu_dtype() and tensor.dtype is dtypes.float32 and tensor.requires_grad and tensor.is_leaf
            and not tensor._is_view() and is_autocast_cache_enabled() and not modes.is_below_autograd())


def _with_history(tensor: Tensor, dtype: DType) -> Tensor:
    """Cast even where nothing is differentiated: the next call may be."""
    before = modes.set_grad(True), modes.set_inference(False)
    try:
        return pointwise.cast_to(tensor, dtype)
    finally:
        modes.set_grad(before[0])
        modes.set_inference(before[1])


def _widest(op: Operator, args: tuple) -> DType:
    """float32 if one operand has it, else autocast's type; double goes its own way."""
    lower = widest = cpu_dtype()
    for i, value in enumerate(args):
        for tensor in (value,) if isinstance(value, Tensor) else value or () if i in op.lists else ():
            if tensor is None or not _is_eligible(tensor):
                continue
            if dtypes.float32 in (widest, tensor.dtype):
                widest = dtypes.float32
            elif tensor.dtype is not lower:
                raise RuntimeError("Unexpected floating ScalarType in at::autocast::prioritize")
    return widest
