# cython: annotation_typing=False
"""Which type results from mixing tensors and numbers: torch's three ranks, dimensioned before scalar before number."""

from __future__ import annotations

from . import dtype as dtypes
from .dtype import BOOL, COMPLEX, FLOATING, INTEGRAL, PROMOTION, DType

DIMENSIONED, ZERO_DIM, NUMBER = 0, 1, 2


def rank_and_type(value) -> tuple[int, DType]:
    """The rank in which an operand speaks, and the type it brings."""
    dtype = getattr(value, "dtype", None)
    if dtype is None or not isinstance(dtype, DType):  # a number of Python's, or of NumPy's
        return NUMBER, _number_type(dtypes.of_scalar(value))
    if value._mt_is_number:
        return NUMBER, _number_type(dtype)
    return (DIMENSIONED if value.dim() else ZERO_DIM), dtype


def _number_type(dtype: DType) -> DType:
    """A Python float counts as the default type, whatever holds it."""
    return dtypes.default_of(dtype.category) if dtype.category >= FLOATING else dtype


def result_type(*operands) -> DType:
    """The common type of tensors and Python numbers."""
    ranks: list[DType | None] = [None, None, None]
    for operand in operands:
        rank, dtype = rank_and_type(operand)
        before = ranks[rank]
        ranks[rank] = dtype if before is None else PROMOTION[before, dtype]
    return combine(ranks[0], combine(ranks[1], ranks[2]))


def type_with(tensor, number) -> DType:
    """The common type of a tensor and one Python number, or none: the tensor's, unless the number's kind is higher."""
    category = tensor.dtype.category
    kind = type(number)
    if not tensor._mt_is_number and (number is None or kind is bool or kind is int and category >= INTEGRAL
                                     or kind is float and category >= FLOATING):
        return tensor.dtype
    return result_type(tensor, number)


def elementwise_type(operands, floating: bool) -> DType:
    """The type that an elementwise op computes in; ``floating``: whole numbers are taken as the default type."""
    common = result_type(*operands)
    return as_floating(common) if floating else common


def as_floating(dtype: DType) -> DType:
    """The type itself, or the default one in the place of whole numbers and booleans."""
    return dtype if dtype.category >= FLOATING else dtypes.get_default_dtype()


def combine(higher: DType | None, lower: DType | None) -> DType | None:
    """A lower rank changes the result only by bringing a higher category."""
    if higher is None or lower is None:
        return higher or lower
    if higher.category == COMPLEX:
        return higher
    if higher.category == FLOATING:
        return higher.to_complex() if lower.category == COMPLEX else higher
    if higher.category == BOOL or lower.category >= FLOATING:
        return PROMOTION[higher, lower]
    return higher
