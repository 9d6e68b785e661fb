"""make_tensor: tensors of random numbers for tests, the same as torch's for a seed."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import ceil, isnan, prod

from ..api.install import FUNCTIONS
from ..core import dtype as dtypes
from ..core.device import device as Device  # noqa: N812
from ..core.tensor import Tensor

_LOW, _HIGH = -9, 9  # of numbers; whole ones up to and with 9
_EIGHT_BITS = 1  # floats of one byte are drawn as float32
_SUPPORTED = frozenset("""bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64
    complex32 complex64 complex128 float8_e4m3fn float8_e5m2 float8_e4m3fnuz float8_e5m2fnuz""".split())


def make_tensor(*shape, dtype: dtypes.DType, device: str | Device, low: float | None = None, high: float | None = None,
                requires_grad: bool = False, noncontiguous: bool = False, exclude_zero: bool = False,
                memory_format=None) -> Tensor:
    """A tensor of numbers between ``low`` and ``high``, of which the type's limits cut off what it cannot hold."""
    if len(shape) == 1 and isinstance(shape[0], Sequence):
        shape = tuple(shape[0])
    if noncontiguous and memory_format is not None:
        raise ValueError("The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
                         f"noncontiguous={noncontiguous!r} and memory_format={memory_format!r}")
    if requires_grad and not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}")
    if dtype.name not in _SUPPORTED:
        raise TypeError(f"The requested dtype '{dtype}' is not supported by torch.testing.make_tensor(). To request "
                        "support, file an issue at: https://github.com/pytorch/pytorch/issues")
    if noncontiguous and shape and prod(shape) > 1:
        result = _numbers((*shape[:-1], 2 * shape[-1]), dtype, device, low, high)[..., 1::2]
    else:
        result = _numbers(shape, dtype, device, low, high)
    if memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = _not_zero(dtype)
    return result.requires_grad_() if requires_grad else result


def _not_zero(dtype: dtypes.DType) -> complex:
    """What exclude_zero puts in the place of zeros."""
    if dtype.is_complex:
        tiny = dtypes.finfo(dtype).tiny
        return complex(tiny, tiny)
    return dtypes.finfo(dtype).tiny if dtype.is_floating_point else 1


def _numbers(shape: tuple[int, ...], dtype: dtypes.DType, device, low: float | None, high: float | None) -> Tensor:
    low, high = _bounds(dtype, low, high)
    if not (dtype.is_floating_point or dtype.is_complex):
        return FUNCTIONS["randint"](ceil(low), ceil(high), shape, device=device, dtype=dtype)
    if dtype.itemsize == _EIGHT_BITS:
        return _uniform(FUNCTIONS["empty"](shape, device=device, dtype=dtypes.float32), low, high).to(dtype)
    result = FUNCTIONS["empty"](shape, device=device, dtype=dtype)
    _uniform(FUNCTIONS["view_as_real"](result) if dtype.is_complex else result, low, high)
    return result


def _uniform(result: Tensor, low: float, high: float) -> Tensor:
    """Fill with numbers of a range that may be wider than the type's largest number."""
    if high - low >= dtypes.finfo(result.dtype).max:
        return result.uniform_(low / 2, high / 2).mul_(2)
    return result.uniform_(low, high)


def _bounds(dtype: dtypes.DType, low: float | None, high: float | None) -> tuple[float, float]:
    """Where numbers begin and end: as asked, as usual, and at most as far as the type goes."""
    floating = dtype.is_floating_point or dtype.is_complex
    lowest, end = _limits(dtype)
    usual = (0, 2) if dtype is dtypes.bool_ else (_LOW, _HIGH if floating else _HIGH + 1)
    low, high = usual[0] if low is None else low, usual[1] if high is None else high
    if isnan(low) or isnan(high):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and floating:
        warnings.warn("Passing `low==high` to `torch.testing.make_tensor` for floating or complex types is deprecated "
                      "since 2.1 and will be removed in 2.3. Use `torch.full(...)` instead.", FutureWarning,
                      stacklevel=4)
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < lowest or low >= end:
        raise ValueError(f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only "
                         f"supports [{lowest}, {end})")
    return min(max(low, lowest), end), min(max(high, lowest), end)


def _limits(dtype: dtypes.DType) -> tuple[float, float]:
    """The smallest number of a type, and where its numbers end."""
    if dtype is dtypes.bool_:
        return 0, 2
    if dtype.is_floating_point or dtype.is_complex:
        return dtypes.finfo(dtype).min, dtypes.finfo(dtype).max
    limits = dtypes.iinfo(dtype)
    return limits.min, limits.max + (dtype is not dtypes.int64)  # randint takes no end beyond int64
