"""Norms of vectors and distances, for every p."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.geometry import wrap_dims
from ...core.tensor import Tensor, ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from .minmax_reduce import share_among
from .reduction import accumulator, in_type, reduced, unsqueezed


def _check_type(self: Tensor, dtype) -> None:
    """A type to compute in must be of the input's kind and no narrower."""
    if dtype.category < dtypes.FLOATING:
        raise RuntimeError(f"linalg.vector_norm: dtype should be floating point or complex, but got {dtype.short}")
    if dtype.is_complex != self.dtype.is_complex:
        kind = "complex" if self.dtype.is_complex else "real"
        raise RuntimeError(f"linalg.vector_norm: dtype should be {kind} for {kind} inputs, but got {dtype.short}")
    if dtypes.PROMOTION[self.dtype, dtype] is not dtype:
        raise RuntimeError(f"linalg.vector_norm: the dtype of the input ({self.dtype.short}) should be convertible "
                           f"without narrowing to the specified dtype ({dtype.short})")


def norm_rule(self: Tensor, ord, dim, keepdim, dtype):
    if self.dtype.category < dtypes.FLOATING:
        raise RuntimeError("linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
                           f"{self.dtype.short}")
    if isinstance(ord, complex):
        raise RuntimeError("linalg.vector_norm: Expected a non-complex scalar as the order of norm.")
    if dtype is not None:
        _check_type(self, dtype)
    if ord < 0 or ord == math.inf:
        _check_identity(self, ord, dim)
    return reduced(self, dim, keepdim, (dtype or self.dtype).to_real())


def _check_identity(self: Tensor, ord, dim) -> None:
    """The largest or smallest of nothing has no value."""
    shape = shape_of(self)
    for given in dim or range(len(shape)):
        if shape[given] == 0:
            what = f"the dimension {given}because this dimension is empty and" if dim else "an empty tensor because"
            raise RuntimeError(f"linalg.vector_norm cannot compute the {_spelled(ord)} norm on {what} the operation "
                               "does not have an identity")


def _spelled(ord) -> str:
    return f"{ord:g}" if math.isfinite(ord) else str(ord)


class LinalgVectorNorm(Op):
    """The p-norm over some dimensions."""

    schema = ("linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
              "ScalarType? dtype=None) -> Tensor")
    meta = norm_rule
    variants = "out"
    overlap = "expanded_out shares_inputs"

    def into(out: Tensor, self: Tensor, ord, dim, keepdim, dtype):
        dims = wrap_dims(dim, ndim_of(self))
        if _is_size(self, ord, dims):
            self = in_type(self, self.dtype if dtype is None else dtype)
            aten.abs(self if keepdim else aten.squeeze(self, dims or (0,)), out=out)
            return
        shown = accumulator(out, self, dim, keepdim)
        self = in_type(self, self.dtype if dtype is None else dtype)
        if numel_of(self) == 0:
            aten.fill_(shown, 0)
        else:
            _VECTOR_NORM(shown, self, ord, dims)

    def grad_self(grad, self, ord, result, dim, keepdim):
        return norm_gradient(grad, self, ord, result, dim, keepdim)


def _is_size(self, ord, dims) -> bool:
    """Whether every norm is of one element alone, and so its absolute value."""
    if ord == 0:
        return False
    shape = shape_of(self)
    return shape == () or (numel_of(self) != 0 and all([shape[d] == 1 for d in dims]))


_VECTOR_NORM = run.vector_norm


def norm_gradient(grad, self, p, norm, dim, keepdim: bool):
    """The gradient of a p-norm, with nothing flowing where the norm is zero."""
    if p == 0:
        return None
    dims = () if dim is None else dim
    shape = shape_of(self)
    grad, norm = unsqueezed(grad, shape, dim, keepdim), unsqueezed(norm, shape, dim, keepdim)
    if p == 1:
        return aten.mul(aten.sgn(self), grad)
    if p == 2:
        unit = aten.div(self, norm)
        return aten.mul(grad, aten.masked_fill_(unit, aten.eq(norm, 0), 0))
    if math.isinf(p):
        size = aten.abs(self)
        chosen = aten.logical_or(aten.eq(size, norm), aten.isnan(size))
        shared = share_among(grad, chosen, dims)
        return aten.mul(aten.sgn(self), shared)
    return _general(grad, self, p, norm)


def _general(grad, self, p, norm):
    if p < 1:
        scaled = aten.pow_(aten.abs(self), p - 1)
        scaled = aten.mul(aten.masked_fill_(scaled, aten.eq(self, 0), 0), aten.sgn(self))
        rate = aten.pow(norm, 1 - p)
        return aten.mul(aten.mul(scaled, grad), rate)
    if p < 2:
        scaled = aten.pow_(aten.abs(self), p - 1)
        scaled = aten.mul(aten.sgn(self), scaled)
    else:
        scaled = aten.mul(self, aten.pow_(aten.abs(self), p - 2))
    rate = aten.div(grad, aten.pow(norm, p - 1))
    return aten.mul(scaled, aten.masked_fill_(rate, aten.eq(norm, 0), 0))


def _norm_into(out: Tensor, self: Tensor, p, dim, keepdim: bool, dtype=None) -> None:
    aten.linalg_vector_norm(self, 2.0 if p is None else p, dim, keepdim, dtype=dtype, out=out)


def _older_rule(self: Tensor, p, dim, keepdim: bool, dtype=None):
    return reduced(self, dim, keepdim, (dtype or self.dtype).to_real())


class NormScalar(Op):
    """The p-norm of everything, as dist() calls it."""

    schema = "norm.Scalar(Tensor self, Scalar p=2) -> Tensor"
    internal = "torch.norm calls linalg_vector_norm"

    def body(self, p):
        return aten.norm(self, p, (), False)

    def grad_self(grad, self, p, result):
        return norm_gradient(grad, self, p, result, None, False)


class NormScalarOptDtype(Op):
    """The same in a type."""

    schema = "norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor"
    internal = "torch.norm calls linalg_vector_norm"

    def body(self, p, dtype):
        return aten.norm(self, p, (), False, dtype=dtype)

    def grad_self(grad, self, p, result):
        wide = self if self.dtype is grad.dtype or self.is_complex() else aten.to(self, grad.dtype)
        return norm_gradient(grad, wide, 2.0 if p is None else p, result, None, False)


class NormScalarOptDim(Op):
    """The p-norm over some dimensions, as dist() and frobenius_norm() call it."""

    schema = "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor"
    node = "NormBackward1"
    internal = "torch.norm calls linalg_vector_norm"
    variants = ".out"
    meta = _older_rule
    into = _norm_into

    def grad_self(grad, self, p, result, dim, keepdim):
        return norm_gradient(grad, self, 2.0 if p is None else p, result, dim, keepdim)


class NormScalarOptDimDtype(Op):
    """The same in a type."""

    schema = ("norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) "
              "-> Tensor")
    node = "NormBackward2"
    internal = "torch.norm calls linalg_vector_norm"
    variants = ".dtype_out"
    meta = _older_rule
    into = _norm_into

    def grad_self(grad, self, p, result, dim, keepdim):
        wide = self if self.dtype is grad.dtype or self.is_complex() else aten.to(self, grad.dtype)
        return norm_gradient(grad, wide, 2.0 if p is None else p, result, dim, keepdim)


class Dist(Op):
    """The p-norm of a difference."""

    schema = "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"
    variants = "method"

    def body(self, other, p):
        return aten.norm(aten.sub(self, other), p)

    def grad_self(grad, self, other, p, result):
        return norm_gradient(grad, aten.sub(self, other), p, result, None, False)

    def grad_other(grad, self, other, p, result):
        return aten.neg(norm_gradient(grad, aten.sub(self, other), p, result, None, False))
