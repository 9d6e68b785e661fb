"""make_tensor: tensors of random numbers for tests, the same as torch's for a seed."""

from __future__ import annotations

from math import prod

from ..api.install import FUNCTIONS
from ..core import dtype as dtypes
from ..core.device import device as Device  # noqa: N812
from ..core.tensor import Tensor

_LOW, _HIGH = -9, 9  # of numbers; whole ones up to and with 9


def make_tensor(*shape, dtype: dtypes.DType, device: str | Device, low: float | None = None, high: float | None = None,
                requires_grad: bool = False, noncontiguous: bool = False, exclude_zero: bool = False,
                memory_format=None) -> Tensor:
    """A tensor of numbers between ``low`` and ``high``."""
    if len(shape) == 1 and not isinstance(shape[0], int):
        shape = tuple(shape[0])
    if noncontiguous and memory_format is not None:
        raise ValueError("The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
                         f"noncontiguous={noncontiguous!r} and memory_format={memory_format!r}")
    if requires_grad and not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(f"`requires_grad=True` is not supported for boolean and integral dtypes, but got {dtype=}")
    if noncontiguous and shape and prod(shape) > 1:
        result = _numbers((*shape[:-1], 2 * shape[-1]), dtype, device, low, high)[..., 1::2]
    else:
        result = _numbers(shape, dtype, device, low, high)
    if memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = dtypes.finfo(dtype).tiny if dtype.is_floating_point else 1
    return result.requires_grad_() if requires_grad else result


def _numbers(shape: tuple[int, ...], dtype: dtypes.DType, device, low: float | None, high: float | None) -> Tensor:
    if dtype is dtypes.bool_:
        return FUNCTIONS["randint"](low or 0, 2 if high is None else high, shape, device=device, dtype=dtype)
    if dtype.is_complex:
        parts = {dtypes.complex64: dtypes.float32, dtypes.complex128: dtypes.float64}[dtype]
        return FUNCTIONS["view_as_complex"](_numbers((*shape, 2), parts, device, low, high))
    if dtype.is_floating_point:
        low, high = _LOW if low is None else low, _HIGH if high is None else high
        return FUNCTIONS["empty"](shape, device=device, dtype=dtype).uniform_(low, high)
    low = (0 if dtype is dtypes.uint8 else _LOW) if low is None else int(low)
    high = _HIGH + 1 if high is None else int(high)
    return FUNCTIONS["randint"](low, high, shape, device=device, dtype=dtype)
