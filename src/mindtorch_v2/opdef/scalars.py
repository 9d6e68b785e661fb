# cython: annotation_typing=False
"""Numbers that a kernel takes in its own type: converted when it runs, and refused where they do not fit."""

from __future__ import annotations

import math

import numpy as np

from ..core import dtype as dtypes
from ..core.dtype import COMPLEX, FLOATING, INTEGRAL, DType

# The types as torch spells them where a number does not fit.
C_TYPES = {"uint8": "uint8_t", "int8": "int8_t", "int16": "int16_t", "int32": "int", "int64": "int64_t",
           "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t", "complex32": "c10::complex<c10::Half>",
           "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float", "float64": "double",
           "complex64": "c10::complex<float>", "complex128": "c10::complex<double>"}
_LARGEST = {d: float(np.finfo(d.numpy).max) for d in (dtypes.float16, dtypes.float32, dtypes.float64)}
_LARGEST[dtypes.bfloat16] = 3.3895313892515355e38
_LARGEST |= {d: dtypes.finfo(d).max for d in dtypes.ALL if d.short.startswith("Float8")}
# From here on halves round to infinity: half a step above the largest.
_TOO_LARGE = {dtypes.float16: 65520.0, dtypes.bfloat16: 3.3961775292304601e38}
# How a number becomes one of the kernel's: in the type of the tensors; for halves as float32, in which they are
# computed; rounded to their type first; or that only if its kind is no higher than theirs.
SAME, OPMATH, ROUNDED, EXACT = "same", "opmath", "rounded", "exact"
FITS_ALL = 127  # whole numbers from zero to this one fit every type but the rare ones


class Scalars:
    """``"opmath: alpha scale"``: the parameters of an op that its kernel converts, and how."""

    def __init__(self, sentence: str, schema):
        self.how, _, names = sentence.partition(": ")
        position = {p.name: i for i, p in enumerate(schema.params)}
        known = self.how in (SAME, OPMATH, ROUNDED, EXACT)
        if not known or not names or any(name not in position for name in names.split()):
            raise TypeError(f"{schema.name}: scalars {sentence!r} wanted as 'same: value'; there are "
                            f"{SAME}, {OPMATH}, {ROUNDED}, {EXACT}, and the parameters {', '.join(position)}")
        self.params = tuple(position[name] for name in names.split())
        self.schema = schema

    def convert(self, args: tuple, dtype: DType) -> tuple:
        """The arguments with these numbers in the kernel's type."""
        changed = list(args)
        for i in self.params:
            value = args[i]
            if value is None:
                continue
            if self.how == EXACT:
                check_kind(self.schema.params[i].name, value, dtype)
            number = in_kernel_type(value, dtype) if self.how == OPMATH else converted(value, dtype)
            changed[i] = rounded(number, dtype) if self.how in (ROUNDED, EXACT) else number
        return tuple(changed)


def in_kernel_type(value, dtype: DType):
    """A number in the type that a kernel computes in: halves are computed in float32."""
    halves = dtype.category == FLOATING and dtype.itemsize == 2
    return converted(value, dtypes.float32 if halves else dtype)


def rounded(number, dtype: DType):
    """A number as the nearest of the type: halves are computed in float32, where it would stay as it came."""
    halves = dtype.category == FLOATING and dtype.itemsize == 2
    return float(dtype.numpy.type(number)) if halves else number


def filling(value, dtype: DType):
    """A number to fill memory with: halves take it as a double, and become infinite where it is too large."""
    if dtype.category != FLOATING or dtype.itemsize != 2:
        return converted(value, dtype)
    number = converted(value, dtypes.float64)
    return math.copysign(math.inf, number) if abs(number) >= _TOO_LARGE[dtype] else number


def check_kind(name: str, value, dtype: DType) -> None:
    """A number that is multiplied must be of no higher kind than the result."""
    if isinstance(value, bool) and dtype is not dtypes.bool_:
        raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
    if isinstance(value, float) and dtype.category < FLOATING:
        raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating point number.")
    if isinstance(value, complex) and dtype.category < COMPLEX:
        raise RuntimeError(f"For non-complex input tensors, argument {name} must not be a complex number.")


def converted(value, dtype: DType):
    """A Python number as one of the type's; torch refuses what does not fit, but lets negative ones wrap around."""
    category = dtype.category
    if category == dtypes.BOOL:
        return bool(value)
    if type(value) is int and 0 <= value <= FITS_ALL and not dtype.rare:
        return value
    if isinstance(value, complex):
        if category == COMPLEX:
            return complex(_real(value.real, dtype.to_real(), dtype), _real(value.imag, dtype.to_real(), dtype))
        if value.imag:
            raise _does_not_fit(dtype)
        value = value.real
    if category == INTEGRAL:
        return _whole(value, dtype)
    return _real(value, dtype if category == FLOATING else dtype.to_real(), dtype)


def _whole(value, dtype: DType) -> int:
    if isinstance(value, float) and not math.isfinite(value):
        raise _does_not_fit(dtype)
    bits = dtype.itemsize * 8
    whole = int(value)
    high = 2 ** (bits - dtype.is_signed) - 1
    low = -high - 1 if dtype.is_signed else -high if isinstance(value, int) else 0
    if not low <= whole <= high or (value < 0 and not dtype.is_signed and isinstance(value, float)):
        raise _does_not_fit(dtype)
    return whole if dtype.is_signed else whole % 2 ** bits


def _real(value, real: DType, dtype: DType):
    if abs(value) > _LARGEST[real] and not (isinstance(value, float) and math.isinf(value)):
        raise _does_not_fit(dtype)
    return value


def _does_not_fit(dtype: DType) -> RuntimeError:
    kind = C_TYPES.get(dtype.name, f"c10::{dtype.short}")
    return RuntimeError(f"value cannot be converted to type {kind} without overflow")
