"""Slices whose norm is too large, brought down to it."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import like
from ..reduce.vector_norm import norm_gradient

SMALL = 1e-7  # keeps the inverse of a norm finite


def _others(self, dim: int) -> tuple[int, ...]:
    dim = wrap_dim(dim, ndim_of(self))
    return tuple([d for d in range(ndim_of(self)) if d != dim])


class Renorm(Op):
    """Slices along a dimension, those with a larger p-norm than maxnorm scaled down to it."""

    schema = "renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor"
    variants = "method inplace out"
    conjugate = False

    def meta(self, p, dim, maxnorm):
        if isinstance(p, complex) or isinstance(maxnorm, complex):
            what = "p" if isinstance(p, complex) else "maxnorm"
            raise RuntimeError(f"renorm: {what} must be real-valued")
        if p <= 0:
            raise RuntimeError("renorm: non-positive-norm not supported")
        if maxnorm < 0:
            raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm:g}")
        if ndim_of(self) < 2:
            raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {ndim_of(self)} dimensions")
        wrap_dim(dim, ndim_of(self))
        return like(self)

    def into(out, self, p, dim, maxnorm):
        is_half = self.dtype in (dtypes.float16, dtypes.bfloat16)
        norm = aten.linalg_vector_norm(self, p, _others(self, dim), True, dtype=dtypes.float32 if is_half else None)
        if norm.dtype is self.dtype:
            run.renorm_factor(norm, norm, maxnorm)
            aten.mul(self, norm, out=out)
            return
        factor = aten.empty(shape_of(norm), dtype=self.dtype)
        wide = aten.empty_like(factor, dtype=norm.dtype, memory_format=contiguous_format)
        run.renorm_factor(wide, norm, maxnorm)
        aten.mul(self, aten.copy_(factor, wide), out=out)

    def grad_self(grad, self, p, dim, maxnorm):
        dims = _others(self, dim)
        wide = dtypes.complex128 if self.dtype.is_complex else (
            dtypes.float32 if self.dtype.itemsize < 4 else dtypes.float64)
        norm = aten.linalg_vector_norm(self, p, dims, True, dtype=wide)
        along = aten.mul(aten._conj(self) if self.dtype.is_complex else self, grad)
        along = aten.real(along) if wide.is_complex else along
        along = aten.sum(along, dims, True, dtype=wide.to_real())
        of_norm = norm_gradient(along, self, p, norm, dims, True)
        inverse = aten.reciprocal(aten.add(norm, SMALL))
        rest = aten.sub(grad, aten.mul(inverse, of_norm))
        slope = aten.to(aten.mul(aten.mul(inverse, maxnorm), rest), grad.dtype)
        return aten.where(aten.gt(norm, maxnorm), slope, grad)
