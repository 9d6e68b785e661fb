# cython: annotation_typing=False
"""Matrices as reflections below a triangle, and what reflections do to other matrices."""

from __future__ import annotations

from ...core.modes import is_grad_enabled
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.not_differentiable import unknown_derivative
from . import matrices
from .householder_derivatives import product_gradient, reflected_gradient
from .matrices import NO_DERIVATIVE, by_columns, lapack_workspace

ITS_BODY_CHECKS = "its body checks and makes what the rule says"


def _geqrf_rule(self):
    if ndim_of(self) < 2:
        raise RuntimeError("torch.geqrf: input must have at least 2 dimensions.")
    if self.is_complex() and self.requires_grad and is_grad_enabled():
        raise RuntimeError("geqrf does not support automatic differentiation for outputs with complex dtype.")
    *batch, m, n = shape_of(self)
    return by_columns(shape_of(self), self.dtype), Spec((*batch, min(m, n)), self.dtype)


class Geqrf(Op):
    """The QR decomposition as LAPACK leaves it: R on and above the diagonal, reflections below it, their factors."""

    schema = "geqrf(Tensor self) -> (Tensor a, Tensor tau)"
    results = "a tau"
    variants = "method"

    meta = _geqrf_rule

    def body(self):
        a, tau = [aten.empty((0,), dtype=self.dtype) for _ in range(2)]
        return tuple(aten.geqrf(self, a=a, tau=tau))

    grads = unknown_derivative("geqrf")


class GeqrfOut(Op):
    """The same into given tensors."""

    schema = "geqrf.a(Tensor self, *, Tensor(a!) a, Tensor(b!) tau) -> (Tensor(a!) a, Tensor(b!) tau)"
    results = "a tau"
    below = NO_DERIVATIVE
    tuned = ITS_BODY_CHECKS
    meta = _geqrf_rule

    def body(self, a, tau):
        _, spec = _geqrf_rule(self)
        matrices.check_castable("torch.geqrf", a, self.dtype, "a")
        matrices.check_castable("torch.geqrf", tau, self.dtype, "tau")
        packed = aten.empty((0,), dtype=self.dtype) if matrices.needs_copy(a, self.dtype, shape_of(self)) else a
        fits = numel_of(tau) == 0 or (shape_of(tau) == spec.shape and is_in_order(tau))
        factors = tau if tau.dtype is self.dtype and fits else aten.empty((0,), dtype=self.dtype)
        if numel_of(packed) == 0:
            aten.transpose_(aten.resize_as_(packed, aten.mT(self), memory_format=matrices.contiguous_format), -2, -1)
        if numel_of(factors) == 0:
            aten.resize_(factors, spec.shape)
        matrices.is_by_columns(packed)
        aten.copy_(packed, self)
        matrices.check_kernel(self.dtype, "geqrf_cpu")
        lapack_workspace(matrices.geqrf_work(self), self.dtype)
        run.geqrf(packed, factors)
        for given, result in ((a, packed), (tau, factors)):
            if result is not given:
                aten.copy_(resize_output(given, shape_of(result)), result)
        return a, tau


def _product_rule(input, tau) -> Spec:
    name = "torch.linalg.householder_product"
    if ndim_of(input) < 2:
        raise RuntimeError(f"{name}: input must have at least 2 dimensions.")
    *batch, m, n = shape_of(input)
    if m < n:
        raise RuntimeError(f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]")
    if n < shape_of(tau)[-1]:
        raise RuntimeError(f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    if ndim_of(input) - ndim_of(tau) != 1:
        raise RuntimeError(f"{name}: Expected tau to have one dimension less than input, but got tau.ndim equal to "
                           f"{ndim_of(tau)} and input.ndim is equal to {ndim_of(input)}")
    if tuple(batch) != shape_of(tau)[:-1]:
        raise RuntimeError(f"{name}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got "
                           f"{list(shape_of(tau)[:-1])}")
    if tau.dtype is not input.dtype:
        raise RuntimeError(f"{name}: tau dtype {tau.dtype.short} does not match input dtype {input.dtype.short}")
    return by_columns(shape_of(input), input.dtype)


class LinalgHouseholderProduct(Op):
    """The first columns of a product of reflections, which the columns below the diagonal and tau describe."""

    schema = "linalg_householder_product(Tensor input, Tensor tau) -> Tensor"
    conjugate = False

    meta = _product_rule

    def body(input, tau):
        return aten.linalg_householder_product(input, tau, out=aten.empty((0,), dtype=input.dtype))

    def grads(grad, input, tau):
        return product_gradient(grad, input, tau)


class LinalgHouseholderProductOut(Op):
    """The same into a given tensor."""

    schema = "linalg_householder_product.out(Tensor input, Tensor tau, *, Tensor(a!) out) -> Tensor(a!)"
    below = NO_DERIVATIVE
    tuned = ITS_BODY_CHECKS
    meta = _product_rule

    def body(input, tau, out):
        _product_rule(input, tau)
        matrices.check_castable("torch.linalg.householder_product", out, input.dtype)
        product = aten.empty((0,), dtype=input.dtype) if matrices.needs_copy(out, input.dtype, shape_of(input)) else out
        if numel_of(product) == 0:
            matrices.shaped_by_columns(product, input)
        matrices.is_by_columns(product)
        aten.copy_(product, input)
        if not is_in_order(tau):
            tau = aten.contiguous(tau)
        matrices.check_kernel(input.dtype, "orgqr_cpu")
        if numel_of(product):
            lapack_workspace(shape_of(input)[-1] + 1, input.dtype)
            run.orgqr(product, tau)
        return out if product is out else aten.copy_(resize_output(out, shape_of(product)), product)


class Orgqr(Op):
    """linalg_householder_product() by LAPACK's name."""

    schema = "orgqr(Tensor self, Tensor input2) -> Tensor"
    variants = "method out"

    def body(self, input2, out=None):
        return aten.linalg_householder_product(self, input2, **({} if out is None else {"out": out}))


def _reflected_rule(input, tau, other, left: bool, transpose: bool) -> Spec:
    name = "torch.ormqr"
    for word, t in (("input", input), ("other", other)):
        if ndim_of(t) < 2:
            raise RuntimeError(f"{name}: {word} must have at least 2 dimensions.")
    *batch, m, n = shape_of(input)
    side = -2 if left else -1
    if shape_of(other)[side] != m:
        raise RuntimeError(f"{name}: other.shape[{side}] must be equal to input.shape[-2]")
    if shape_of(tau)[-1] != min(m, n):
        raise RuntimeError(f"{name}: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])")
    for word, t, missing in (("tau", tau, 1), ("other", other, 0)):
        if ndim_of(input) - ndim_of(t) != missing:
            less = "one dimension less than input" if missing else "the same number of dimensions as input"
            raise RuntimeError(f"{name}: Expected {word} to have {less}, but got {word}.ndim equal to {ndim_of(t)} and "
                               f"input.ndim is equal to {ndim_of(input)}")
        if shape_of(t)[:ndim_of(input) - 2] != tuple(batch):
            raise RuntimeError(f"{name}: Expected batch dimensions of {word} to be equal to input.shape[:-2], but got "
                               f"{list(shape_of(t)[:ndim_of(input) - 2])}")
    for word, t in (("tau", tau), ("other", other)):
        _check_type(input, word, t)
    return by_columns(shape_of(other), other.dtype)


def _check_type(input, word: str, t) -> None:
    if t.dtype is not input.dtype:
        raise RuntimeError(f"torch.ormqr: Expected input and {word} to have the same dtype, but input has dtype"
                           f"{input.dtype.short} and {word} has dtype {t.dtype.short}")


class Ormqr(Op):
    """A matrix times the whole product of reflections, from the left or the right."""

    schema = "ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor"
    variants = "method"
    conjugate = False

    meta = _reflected_rule

    def body(self, input2, input3, left, transpose):
        return _reflect_into(aten.empty((0,), dtype=self.dtype), self, input2, input3, left, transpose)

    def grads(grad, self, input2, input3, left, transpose, needs):
        return reflected_gradient(grad, self, input2, input3, left, transpose, needs)


class OrmqrOut(Op):
    """The same into a given tensor."""

    schema = ("ormqr.out(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False, *, "
              "Tensor(a!) out) -> Tensor(a!)")
    below = NO_DERIVATIVE
    tuned = ITS_BODY_CHECKS
    meta = _reflected_rule

    def body(self, input2, input3, left, transpose, out):
        _reflected_rule(self, input2, input3, left, transpose)
        _check_type(self, "result", out)
        return _reflect_into(out, self, input2, input3, left, transpose)


def _reflect_into(out, input, tau, other, left: bool, transpose: bool):
    result = aten.empty((0,), dtype=input.dtype) if matrices.needs_copy(out, input.dtype, shape_of(other)) else out
    if numel_of(result) == 0:
        matrices.shaped_by_columns(result, other)
    if not matrices.is_by_columns(input):
        turned = aten.transpose_(aten.empty(shape_of(aten.mT(input)), dtype=input.dtype), -2, -1)
        input = aten.copy_(turned, input)
    if not is_in_order(tau):
        tau = aten.contiguous(tau)
    aten.copy_(result, other)
    matrices.check_kernel(input.dtype, "ormqr_cpu")
    if numel_of(result):
        lapack_workspace(max(1, shape_of(other)[-1 if left else -2]) if numel_of(tau) else 1, input.dtype)
    if numel_of(result) and numel_of(tau):
        run.ormqr(result, input, tau, left, transpose)
    return out if result is out else aten.copy_(resize_output(out, shape_of(result)), result)
