# cython: annotation_typing=False
"""What a type can hold of the range that random numbers are drawn from, and torch's complaints about the rest."""

from __future__ import annotations

from functools import cache

from ...core import dtype as dtypes
from ...core.user_warning import warn_user
from ...opdef.kernel_types import not_implemented

_TRUTH_VALUES = (0, 1)
# What C++ calls the types.
_C_TYPES = {"bool": "bool", "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int",
            "int64": "long int", "uint16": "short unsigned int", "uint32": "unsigned int",
            "uint64": "long unsigned int", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "float32": "float",
            "float64": "double", "complex32": "c10::Half", "complex64": "float", "complex128": "double"}
# Whole numbers up to 2 to the power of these are held without a gap.
_WHOLE_BITS = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}


@cache
def _float_limits(dtype: dtypes.DType) -> dtypes.finfo:
    return dtypes.finfo(dtype)


def check_uniform(dtype: dtypes.DType, low: float, high: float) -> None:
    """Refuse what no floating type draws, and bounds that the type cannot hold."""
    if dtype.name not in _C_TYPES or dtype.category < dtypes.FLOATING:
        raise not_implemented("check_uniform_bounds", dtype)
    limits = _float_limits(dtype)
    for bound, name in ((low, "from"), (high, "to")):
        if not limits.min <= bound <= limits.max:
            raise RuntimeError(f"{name} is out of bounds for {_C_TYPES[dtype.name]}")
    if low > high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")
    if high - low > limits.max:
        part = "Float" if dtype.name == "complex64" else dtype.short
        raise RuntimeError(f"uniform_ expects to-from <= std::numeric_limits<{part}>::max(), but found to={high:g} and "
                           f"from={low:g} which result in to-from to exceed the limit")


def check_whole(dtype: dtypes.DType, low: int, high: int | None) -> None:
    """Refuse a range of whole numbers that the type cannot hold; warn of one that it holds with gaps."""
    if high is not None and low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if dtype.is_complex:
        raise RuntimeError("check_random_bounds handles only integral, floating-point and boolean types")
    if dtype.name not in _C_TYPES:
        raise not_implemented("random_update_from_to", dtype)
    first, last = _limits(dtype)
    bounds = [(low, "from")] if high is None else [(low, "from"), (high - 1, "to - 1")]
    for bound, name in bounds:
        if not first <= bound <= last:
            raise RuntimeError(f"{name} is out of bounds for {_C_TYPES[dtype.name]}")
    bits = _WHOLE_BITS.get(dtype.name)
    if bits is not None and high is None and low > 2**bits:
        raise RuntimeError("random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to "
                           f"dtype, but got from={low} > to_inc={2**bits}")
    if bits is not None:
        _warn_of_gaps(bounds, bits, _C_TYPES[dtype.name])


@cache
def _limits(dtype: dtypes.DType) -> tuple[float, float]:
    if dtype.category == dtypes.BOOL:
        return _TRUTH_VALUES
    limits = (dtypes.finfo if dtype.is_floating_point else dtypes.iinfo)(dtype)
    return limits.min, limits.max


def _warn_of_gaps(bounds: list[tuple[int, str]], bits: int, name: str) -> None:
    for bound, said in bounds:
        if abs(bound) > 2**bits:
            warn_user(f"{said} is out of bounds [-(2^{bits}), 2^{bits}]. Due to precision limitations {name} can "
                      "support discrete uniform distribution only within this range. This warning will become an "
                      "error in version 1.7 release, please fix the code in advance")
