"""Running sums and products, softmax and its kin over the elements that a mask lets through."""

from __future__ import annotations

from ..core.device import strided
from ..core.dtype import DType
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from .masks import _canonical_dim, filled
from .reductions import norm


def cumsum(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """Running sums, to which what is left out adds nothing."""
    return _along(aten.cumsum, "sum", input, dim, dtype, mask).to(dtype=dtype or input.dtype)


def cumprod(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """Running products, which what is left out does not change."""
    return _along(aten.cumprod, "prod", input, dim, dtype, mask).to(dtype=dtype or input.dtype)


def softmax(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """Shares that add up to one; what is left out gets none."""
    return _along(aten.softmax, "amax", input, dim, dtype, mask)


def log_softmax(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """The logarithms of softmax()."""
    return _along(aten.log_softmax, "amax", input, dim, dtype, mask)


def softmin(input: Tensor, dim: int, *, dtype: DType | None = None, mask: Tensor | None = None) -> Tensor:
    """softmax() of the negated input."""
    return _along(lambda x, d, dtype: aten.softmax(aten.neg(x), d, dtype=dtype), "amin", input, dim, dtype, mask)


def _along(function, identity: str, input: Tensor, dim: int, dtype: DType | None, mask: Tensor | None) -> Tensor:
    dtype = input.dtype if dtype is None else dtype
    dim = _canonical_dim(dim, input.ndim)[0]
    return function(filled(identity, input, mask), dim, dtype=dtype)


def normalize(input: Tensor, ord: float, dim: int, *, eps: float = 1e-12, dtype: DType | None = None,
              mask: Tensor | None = None) -> Tensor:
    """The input divided by its norm along a dimension; what is left out becomes zero."""
    dtype = input.dtype if dtype is None else dtype
    size = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return aten.divide(filled("sum", input, mask), aten.maximum(size, size.new_full((), eps)))


def logaddexp(input: Tensor, other: Tensor, *, dtype: DType | None = None, input_mask: Tensor | None = None,
              other_mask: Tensor | None = None) -> Tensor:
    """The logarithm of the sum of two exponentials, each with a mask of its own."""
    if not input.layout is other.layout is strided:
        raise ValueError(f"masked logaddexp expects strided tensors (got {input.layout} tensor for input, "
                         f"{other.layout} for other)")
    masked = filled("logaddexp", input, input_mask), filled("logaddexp", other, other_mask)
    return aten.logaddexp(*masked).to(dtype=input.dtype if dtype is None else dtype)
