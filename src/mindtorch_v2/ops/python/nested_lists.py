# cython: annotation_typing=False
"""Nested lists as arrays: their shape, the type their elements agree on, and torch's complaints about ragged ones."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import chain

import numpy as np

from ...core import dtype as dtypes
from ...core.tensor import Tensor
from ...core.user_warning import warn_user
from ...devices.cpu import copying, rounding

_MAX_DIMS = 128  # how deep torch looks before it takes a list for one that contains itself
_ROOM = {d: (int(np.iinfo(d.numpy).min), int(np.iinfo(d.numpy).max))
         for d in dtypes.ALL if d.category == dtypes.INTEGRAL}


def is_sequence(value) -> bool:
    """Whether torch would look for elements in a value."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    if isinstance(value, (list, tuple, range)):
        return True
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(
        value, (Tensor, dict, set, bytes, str))


def shape_of(data) -> tuple[int, ...]:
    """The shape that the first elements speak for."""
    shape: list[int] = []
    while is_sequence(data) or isinstance(data, np.ndarray):  # of no dimension: its len() complains
        shape.append(len(data))
        if len(shape) > _MAX_DIMS:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        if shape[-1] == 0:
            break
        data = data[0]
    if isinstance(data, str) and shape:
        raise ValueError("too many dimensions 'str'")
    return tuple(shape)


def type_of(data, depth: int = 0) -> dtypes.DType:
    """The type all elements agree on; an empty list has the default one."""
    if not is_sequence(data):
        return _type_of_one(data)
    if isinstance(data, np.ndarray):
        return dtypes.of_numpy(data.dtype)
    if type(data) is list and data and type(data[0]) in (float, int):
        kind = type(data[0])
        for value in data:
            if type(value) is not kind:
                break
        else:
            return dtypes.of_scalar(data[0])
    if depth > _MAX_DIMS:
        raise ValueError(f"too many dimensions '{type(data).__name__}'")
    common = None
    for kind in dict.fromkeys(map(type, data)):  # one look at each kind of element, not at each element
        members = [v for v in data if type(v) is kind] if _says_more_than_its_type(kind) else [next(
            v for v in data if type(v) is kind)]
        for member in members:
            if member is data:
                raise TypeError("new(): self-referential lists are incompatible")
            one = type_of(member, depth + 1)
            if not (is_sequence(member) and len(member) == 0):
                common = one if common is None else dtypes.promote_types(common, one)
    return common or dtypes.get_default_dtype()


def _says_more_than_its_type(kind: type) -> bool:
    return kind not in (int, float, bool, complex) and not issubclass(kind, np.generic)


def _type_of_one(value) -> dtypes.DType:
    if isinstance(value, (np.generic, np.ndarray)):
        return dtypes.of_numpy(value.dtype)
    if isinstance(value, (bool, int, float, complex)):
        return dtypes.of_scalar(value)
    if isinstance(value, Tensor):
        return value.dtype
    if isinstance(value, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(value).__name__}'")
    raise RuntimeError(f"Could not infer dtype of {type(value).__name__}")


def store(out: np.ndarray, data, dtype: dtypes.DType) -> None:
    """Write nested data into an array of its shape."""
    if type(data) is list and out.ndim == 1 and copying.store_plain(out, data):
        return
    level, shape = [data], out.shape
    for dim, size in enumerate(shape):
        for i, part in enumerate(level):
            if not is_sequence(part):
                level[i] = part = _elements(part)
            if len(part) != size:
                raise ValueError(f"expected sequence of length {size} at dim {dim} (got {len(part)})")
        if np.ndarray in set(map(type, level)):
            _warn_of_arrays(dim)
            level = [part.tolist() if isinstance(part, np.ndarray) else part for part in level]
        level = list(chain.from_iterable(level))
    if shape and copying.store_plain(out, level):
        return
    kinds = set(map(type, level))
    if np.ndarray in kinds:  # of no dimension
        level = [v[()] if type(v) is np.ndarray else v for v in level]
        kinds = set(map(type, level))
    if any(issubclass(k, Tensor) for k in kinds):
        level = [_number(v, dtype) if isinstance(v, Tensor) else v for v in level]
        kinds = set(map(type, level))
    for kind in kinds:
        _check_kind(kind, dtype)
    if level:
        out[...] = numbers(level, dtype).reshape(shape)


def _elements(value) -> list:
    """What stands beside a sequence need not be one itself: torch takes the keys of a dictionary."""
    if isinstance(value, Tensor):
        raise TypeError("not a sequence")
    try:
        return list(value)
    except TypeError:
        raise TypeError("not a sequence") from None


def _warn_of_arrays(dim: int) -> None:
    if dim == 1:
        warn_user("Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting "
                  "the list to a single numpy.ndarray with numpy.array() before converting to a tensor.")


def _number(tensor: Tensor, dtype: dtypes.DType):
    if tensor._mt_array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    if dtype.category <= dtypes.INTEGRAL:
        return operator.index(tensor)
    return complex(tensor) if dtype.is_complex else float(tensor)


def _check_kind(kind: type, dtype: dtypes.DType) -> None:
    """An element that no conversion of this type takes, in Python's own words."""
    complex_number = issubclass(kind, (complex, np.complexfloating))
    number = issubclass(kind, (int, float, complex, np.number, np.bool_))
    if number and not (complex_number and dtype.category < dtypes.COMPLEX):
        return
    if dtype.category == dtypes.FLOATING:
        raise TypeError(f"must be real number, not {kind.__name__}")
    if dtype.category == dtypes.INTEGRAL:
        raise TypeError(f"'{kind.__name__}' object cannot be interpreted as an integer")
    if not complex_number:
        raise TypeError(f"can't convert {kind.__name__} to {dtype!r}")


def numbers(level: Sequence, dtype: dtypes.DType) -> np.ndarray:
    """A flat list of numbers in a type, with torch's complaint about integers that do not fit."""
    if dtype.category == dtypes.OPAQUE or dtype.short.startswith("Float4"):
        raise RuntimeError("store_scalar: invalid type")
    if dtype.category != dtypes.INTEGRAL:
        with np.errstate(over="ignore"):
            wide = {dtypes.FLOATING: np.float64, dtypes.COMPLEX: np.complex128}.get(dtype.category)
            exact = np.array(level, wide or np.bool_)
            return rounding.rounded(exact, dtype.numpy) if dtype.rare else exact.astype(dtype.numpy, copy=False)
    if dtype.name == "uint64":
        if any(isinstance(value, float) for value in level):
            raise TypeError("an integer is required")
        return np.array(level, np.uint64)
    try:
        exact = np.array(level)
        if exact.dtype.kind == "f" and not np.isfinite(exact).all():
            raise OverflowError
        values = exact.astype(np.int64) if exact.dtype.kind in "fbiu" else np.array(level, np.int64)
        if exact.dtype.kind in "fu" and (exact >= 2.0**63).any():
            raise OverflowError
    except OverflowError:
        if any(isinstance(v, float) for v in level):
            raise _overflow(dtype) from None
        raise ValueError("Overflow when unpacking long long") from None
    low, high = _ROOM[dtype]
    if dtype is not dtypes.int64 and values.size:
        # An unsigned type also takes what wraps around from below.
        if values.max() > high or values.min() < (low if dtype.is_signed else -high):
            raise _overflow(dtype)
    return values.astype(dtype.numpy, copy=False)


def _overflow(dtype: dtypes.DType) -> RuntimeError:
    return RuntimeError(f"value cannot be converted to type {dtype.name} without overflow")
