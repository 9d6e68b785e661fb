"""Reductions over the elements that a mask lets through."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core.dtype import DType
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from .masks import Dims, _canonical_dim, _input_mask, filled

SUMMED_AS_INT64 = (dtypes.uint8, dtypes.bool_, dtypes.int8, dtypes.int16, dtypes.int32)


def _sum_type(input: Tensor, dtype: DType | None) -> DType:
    if dtype is not None:
        return dtype
    return dtypes.int64 if input.dtype in SUMMED_AS_INT64 else input.dtype


def sum(input: Tensor, dim: Dims = None, *, keepdim: bool | None = False, dtype: DType | None = None,
        mask: Tensor | None = None) -> Tensor:
    """The sum; nothing adds up to zero."""
    dims = _canonical_dim(dim, input.ndim)
    return aten.sum(filled("sum", input, mask), dims, bool(keepdim), dtype=_sum_type(input, dtype))


def prod(input: Tensor, dim: Dims = None, *, keepdim: bool | None = False, dtype: DType | None = None,
         mask: Tensor | None = None) -> Tensor:
    """The product; that of nothing is one."""
    dims = _canonical_dim(dim, input.ndim)
    result = filled("prod", input, mask).to(dtype=_sum_type(input, dtype))
    for d in reversed(dims):
        result = aten.prod(result, d, bool(keepdim))
    return result


def amax(input: Tensor, dim: Dims = None, *, keepdim: bool | None = False, dtype: DType | None = None,
         mask: Tensor | None = None) -> Tensor:
    """The largest element."""
    result = aten.amax(filled("amax", input, mask), _canonical_dim(dim, input.ndim), bool(keepdim))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def amin(input: Tensor, dim: Dims = None, *, keepdim: bool | None = False, dtype: DType | None = None,
         mask: Tensor | None = None) -> Tensor:
    """The smallest element."""
    result = aten.amin(filled("amin", input, mask), _canonical_dim(dim, input.ndim), bool(keepdim))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def argmax(input: Tensor, dim: int | None = None, *, keepdim: bool | None = False, dtype: DType | None = None,
           mask: Tensor | None = None) -> Tensor:
    """Where the largest element stands, in the type of the input."""
    result = aten.argmax(filled("argmax", input, mask), dim, bool(keepdim))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def argmin(input: Tensor, dim: int | None = None, *, keepdim: bool | None = False, dtype: DType | None = None,
           mask: Tensor | None = None) -> Tensor:
    """Where the smallest element stands, in the type of the input."""
    result = aten.argmin(filled("argmin", input, mask), dim, bool(keepdim))
    return result.to(dtype=input.dtype if dtype is None else dtype)


def logsumexp(input: Tensor, dim: Dims = None, *, keepdim: bool = False, dtype: DType | None = None,
              mask: Tensor | None = None) -> Tensor:
    """The logarithm of the sum of exponentials."""
    result = aten.logsumexp(filled("logsumexp", input, mask), _canonical_dim(dim, input.ndim), keepdim)
    return result.to(dtype=input.dtype if dtype is None else dtype)


def norm(input: Tensor, ord: float | None = 2.0, dim: Dims = None, *, keepdim: bool | None = False,
         dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """The norm of all elements as one vector."""
    return aten.linalg_vector_norm(filled("norm", input, mask, ord), ord, _canonical_dim(dim, input.ndim),
                                   bool(keepdim), dtype=input.dtype if dtype is None else dtype)


def median(input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: DType | None = None,
           mask: Tensor | None = None) -> Tensor:
    """The middle element; of floats NaN where all are left out."""
    dtype, given = input.dtype if dtype is None else dtype, input
    dim = _canonical_dim(dim, input.ndim)[0]
    if not given.is_floating_point():
        input = input.to(dtype=dtypes.float32)
    result = aten.nanmedian(filled("median", input, mask), dim, keepdim)[0]
    if given.is_floating_point():
        return result
    if aten.isnan(result).any():
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return result.to(dtype=dtype)


def _count(input: Tensor, mask: Tensor | None, dim: Dims, keepdim: bool) -> Tensor:
    """How many elements each result is made of."""
    if mask is None:
        mask = aten.ones(tuple(input.shape), dtype=dtypes.int64, device=input.device)
    return aten.sum(mask, _canonical_dim(dim, input.ndim), keepdim)


def mean(input: Tensor, dim: Dims = None, *, keepdim: bool | None = False, dtype: DType | None = None,
         mask: Tensor | None = None) -> Tensor:
    """The mean; NaN where all are left out."""
    source = "Input" if dtype is None else "Optional"
    dtype = input.dtype if dtype is None else dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise ValueError(f"mean(): Could not infer output dtype. {source} dtype must be either a floating point or "
                         f"complex dtype. Got: {dtype}")
    mask = None if mask is None else _input_mask(input, mask=mask)
    count = _count(input, mask, dim, bool(keepdim))
    return sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask) / count


def var(input: Tensor, dim: Dims = None, unbiased: bool | None = None, *, correction: float | None = None,
        keepdim: bool | None = False, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """The variance; NaN where all are left out."""
    return _variance(input, dim, _correction(unbiased, correction), keepdim, dtype, mask)


def std(input: Tensor, dim: Dims = None, unbiased: bool | None = None, *, correction: float | None = None,
        keepdim: bool | None = False, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """The standard deviation; NaN where all are left out."""
    return aten.sqrt(_variance(input, dim, _correction(unbiased, correction), keepdim, dtype, mask))


def _correction(unbiased: bool | None, correction: float | None) -> float:
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    if correction is not None:
        return float(correction)
    return 1.0 if unbiased is None else float(unbiased)


def _variance(input: Tensor, dim: Dims, correction: float, keepdim: bool | None, dtype: DType | None,
              mask: Tensor | None) -> Tensor:
    if dtype is None:
        dtype = input.dtype if input.is_floating_point() or input.is_complex() else dtypes.float32
    computed = dtype if dtype.is_floating_point or dtype.is_complex else dtypes.float32
    mask = None if mask is None else _input_mask(input, mask=mask)
    count = _count(input, mask, dim, True)
    centred = aten.subtract(input, aten.divide(sum(input, dim, keepdim=True, dtype=dtype, mask=mask), count))
    total = sum(centred * centred.conj(), dim, keepdim=keepdim, dtype=computed, mask=mask)
    if not keepdim:
        count = count.reshape(total.shape)
    if correction:
        count = count.to(computed.to_real() if computed.is_complex else computed).subtract(correction)
        count = aten.maximum(count, count.new_zeros(()))
    return aten.divide(total, count).to(dtype=dtype)
