"""Tensors as bytes for other processes, and several processes' numbers as one."""

from __future__ import annotations

import numpy as np

from ..core.dtype import by_name
from ..core.tensor import Tensor, count_write
from .reduce_op import ReduceOp

_INTEGRAL = {by_name(name) for name in ("int8", "uint8", "bool", "int32", "int64")}
_REDUCED_TYPES = _INTEGRAL | {by_name(name) for name in ("float16", "bfloat16", "float32", "float64", "complex64",
                                                         "complex128")}
# How two arrays become one.
_FUNCTIONS = {ReduceOp.SUM: np.add, ReduceOp.AVG: np.add, ReduceOp.PRODUCT: np.multiply, ReduceOp.MIN: np.minimum,
              ReduceOp.MAX: np.maximum, ReduceOp.BAND: np.bitwise_and, ReduceOp.BOR: np.bitwise_or,
              ReduceOp.BXOR: np.bitwise_xor}
_BITWISE = {ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR}


def array_of(tensor: Tensor) -> np.ndarray:
    """The numbers of a tensor, in a row."""
    if tensor.is_sparse or tensor.is_nested:
        raise RuntimeError(f"only dense tensors travel between processes, not {tensor.layout} ones: use to_dense() "
                           "before")
    resolved = tensor.detach().resolve_conj().resolve_neg() if tensor.is_conj() or tensor.is_neg() else tensor
    return np.ascontiguousarray(resolved._mt_array).reshape(-1)


def bytes_of(array: np.ndarray) -> memoryview:
    """The memory of numbers in a row."""
    return memoryview(array.view(np.uint8))


def from_bytes(data: bytearray, like: np.ndarray, name: str, peer: int) -> np.ndarray:
    """What another process sent in the place of such numbers."""
    if len(data) != like.nbytes:
        raise RuntimeError(f"{name}: rank {peer} sent {len(data)} bytes where {like.nbytes} were expected: the tensors "
                           "of all processes must have one shape and one type")
    return np.frombuffer(data, like.dtype)


def write(tensor: Tensor, numbers: np.ndarray) -> None:
    """Put numbers in a row into a tensor of any layout."""
    array = tensor._mt_array
    array[...] = numbers.reshape(array.shape)
    count_write(tensor)


def supports_complex(reduceOp: ReduceOp) -> bool:  # noqa: N803  torch's name
    """Whether complex numbers are reduced in this way."""
    return reduceOp in (ReduceOp.SUM, ReduceOp.AVG)


def check_reduction(name: str, tensor: Tensor, op: ReduceOp) -> None:
    """An error for types that are not reduced, in this way or at all."""
    if not isinstance(op, ReduceOp):
        raise TypeError(f"{name}: op is a torch.distributed.ReduceOp, got {op!r}")
    if tensor.dtype not in _REDUCED_TYPES:
        raise RuntimeError("Invalid scalar type")
    if op in _BITWISE and tensor.dtype not in _INTEGRAL:
        raise RuntimeError(f"Cannot use ReduceOp.{op.name} with non-integral dtype")
    if op not in _FUNCTIONS:
        raise RuntimeError(f"Cannot use ReduceOp.{op.name} with Gloo")
    if tensor.is_complex() and not supports_complex(op):
        raise RuntimeError(f"{name} does not support {op} on complex tensors")
    if op == ReduceOp.AVG and tensor.dtype in _INTEGRAL:
        raise RuntimeError(f"result type Float can't be cast to the desired output type {tensor.dtype.short}")


def reduced(op: ReduceOp, arrays: list[np.ndarray]) -> np.ndarray:
    """Several processes' numbers as one's, always taken in the same order."""
    total = arrays[0].copy()
    for array in arrays[1:]:
        _FUNCTIONS[op](total, array, out=total)
    if op == ReduceOp.AVG:
        total = (total / len(arrays)).astype(total.dtype)
    return total


def chunks(array: np.ndarray, count: int) -> list[np.ndarray]:
    """Numbers in a row as so many parts of about one size."""
    ends = [len(array) * place // count for place in range(count + 1)]
    return [array[start:end] for start, end in zip(ends, ends[1:], strict=False)]
