"""Variances and standard deviations. float32 and float64 accumulate in float64, as torch does on a CPU."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dims
from ...devices.cpu.errstate import silent
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import reduced_shape
from .sums import accumulator, count, expand_back, unsqueezed

_WHOLE = (dtypes.float32, dtypes.float64)  # over everything these go by way of the mean


def _check(name: str, self) -> None:
    if self.dtype.category < dtypes.FLOATING:
        message = {"var": "std and var only support floating point and complex dtypes"}
        raise RuntimeError(message.get(name, f"{name} only support floating point and complex dtypes"))


@silent
def _squares(array, mean, axis, correction):
    """The sum of squared distances from a mean, by the number of elements less a correction."""
    n = 1
    for d in axis:
        n *= array.shape[d]
    apart = array - mean
    squares = (apart * apart.conj()).real if np.iscomplexobj(apart) else apart * apart
    return squares.sum(axis=axis, keepdims=True) / np.float64(max(n - correction, 0))


@silent
def _measure(self, dim, correction, keepdim: bool, root: bool):
    """var and std: ``root`` says which."""
    shape = self._mt_array.shape
    out = aten.empty((0,), dtype=self.dtype.to_real(), layout=strided)
    _check("var", self)
    dims, correction = wrap_dims(dim, len(shape)), 1 if correction is None else correction
    resize_output(out, reduced_shape(shape, dim, keepdim))
    shown = out if keepdim else accumulator(out, shape, dim)
    if self._mt_array.size == 0:
        return aten.fill_(out, float("nan"))
    if self.dtype in _WHOLE and len(dims) == len(shape):
        mean = aten.item(aten.mean(self))
        found = _squares(self._mt_array.astype(np.float64), mean, dims, correction)
        return aten.fill_(out, (np.sqrt(found) if root else found).item())
    wide = self._mt_array.astype(np.complex128 if self.is_complex() else np.float64)
    found = _squares(wide, wide.mean(axis=dims, keepdims=True), dims, correction)
    np.copyto(shown._mt_array, np.sqrt(found) if root else found, casting="unsafe")
    return out


@silent
def _measure_with_mean(name: str, self, dim, correction, keepdim: bool, root: bool):
    shape = self._mt_array.shape
    real = aten.empty((0,), dtype=self.dtype.to_real(), layout=strided)
    outs = real, aten.empty((0,), dtype=self.dtype, layout=strided)
    _check(name, self)
    dims, correction = wrap_dims(dim, len(shape)), 1 if correction is None else correction
    wide = self._mt_array.astype(np.complex128 if self.is_complex() else np.float64)
    mean = wide.sum(axis=dims, keepdims=True) / np.float64(count(shape, dim))
    found = _squares(wide, mean, dims, correction)
    for out, value in zip(outs, (np.sqrt(found) if root else found, mean)):
        resize_output(out, reduced_shape(shape, dim, keepdim))
        shown = out if keepdim else accumulator(out, shape, dim)
        np.copyto(shown._mt_array, value, casting="unsafe")
    return outs


def var_gradient(grad, self, dim, correction, keepdim: bool):
    """2 / (n - correction) * grad * (self - mean)."""
    shape = self._mt_array.shape
    whole = not len(shape) or dim is None
    if not whole:
        grad = unsqueezed(grad, shape, dim, keepdim)
    n = count(shape, dim) - (1 if correction is None else correction)
    apart = aten.sub(self, aten.mean(self) if whole else aten.mean(self, dim, True))
    return aten.mul(aten.mul(grad, 2.0 / n if n else float("inf")), apart)


def std_gradient(grad, self, result, dim, correction, keepdim: bool):
    """The gradient of the variance by twice the deviation, and nothing where that is zero."""
    inner = aten.div(grad, aten.mul(result, 2))
    aten.masked_fill_(inner, aten.eq(result, 0), 0)
    return var_gradient(inner, self, dim, correction, keepdim)


def mean_gradient(grad, self, dim, keepdim: bool):
    shape = self._mt_array.shape
    return aten.div(expand_back(grad, shape, dim, keepdim), count(shape, dim))


class VarDim(Op):
    """The variance over some dimensions."""

    schema = "var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor"
    variants = "method"

    def body(self, dim, unbiased, keepdim):
        return aten.var(self, dim, correction=int(unbiased), keepdim=keepdim)


class VarCorrection(Op):
    """The variance over some dimensions; the correction is subtracted from the number of elements."""

    schema = "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor"
    variants = "method"

    def body(self, dim, correction, keepdim):
        return _measure(self, dim, correction, keepdim, False)

    def grad_self(grad, self, dim, correction, keepdim):
        return var_gradient(grad, self, dim, correction, keepdim)


class Var(Op):
    """The variance of all elements."""

    schema = "var(Tensor self, bool unbiased=True) -> Tensor"
    variants = "method"

    def body(self, unbiased):
        return aten.var(self, None, correction=int(unbiased))


class StdDim(Op):
    """The standard deviation over some dimensions."""

    schema = "std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor"
    variants = "method"

    def body(self, dim, unbiased, keepdim):
        return aten.std(self, dim, correction=int(unbiased), keepdim=keepdim)


class StdCorrection(Op):
    """The standard deviation over some dimensions; the correction is subtracted from the number of elements."""

    schema = "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor"
    variants = "method"

    def body(self, dim, correction, keepdim):
        return _measure(self, dim, correction, keepdim, True)

    def grad_self(grad, self, result, dim, correction, keepdim):
        return std_gradient(grad, self, result, dim, correction, keepdim)


class Std(Op):
    """The standard deviation of all elements."""

    schema = "std(Tensor self, bool unbiased=True) -> Tensor"
    variants = "method"

    def body(self, unbiased):
        return aten.std(self, None, correction=int(unbiased))


class VarMeanDim(Op):
    """The variance and the mean over some dimensions."""

    schema = "var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)"

    def body(self, dim, unbiased, keepdim):
        return aten.var_mean(self, dim, correction=int(unbiased), keepdim=keepdim)


class VarMeanCorrection(Op):
    """The variance, with a correction, and the mean over some dimensions."""

    schema = ("var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) "
              "-> (Tensor, Tensor)")

    def body(self, dim, correction, keepdim):
        return _measure_with_mean("var_mean", self, dim, correction, keepdim, False)

    def grad_self(grads, self, dim, correction, keepdim):
        first = None if grads[0] is None else var_gradient(grads[0], self, dim, correction, keepdim)
        return _joined(first, grads[1], self, dim, keepdim)


class VarMean(Op):
    """The variance and the mean of all elements."""

    schema = "var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)"

    def body(self, unbiased):
        return aten.var_mean(self, None, correction=int(unbiased))


class StdMeanDim(Op):
    """The standard deviation and the mean over some dimensions."""

    schema = "std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)"

    def body(self, dim, unbiased, keepdim):
        return aten.std_mean(self, dim, correction=int(unbiased), keepdim=keepdim)


class StdMeanCorrection(Op):
    """The standard deviation, with a correction, and the mean over some dimensions."""

    schema = ("std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) "
              "-> (Tensor, Tensor)")

    def body(self, dim, correction, keepdim):
        return _measure_with_mean("std_mean", self, dim, correction, keepdim, True)

    def grad_self(grads, self, result0, dim, correction, keepdim):
        first = None if grads[0] is None else std_gradient(grads[0], self, result0, dim, correction, keepdim)
        return _joined(first, grads[1], self, dim, keepdim)


class StdMean(Op):
    """The standard deviation and the mean of all elements."""

    schema = "std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)"

    def body(self, unbiased):
        return aten.std_mean(self, None, correction=int(unbiased))


def _joined(first, grad, self, dim, keepdim: bool):
    """The gradient by way of the measure plus the gradient by way of the mean, whichever there are."""
    if grad is None:
        return first
    second = mean_gradient(grad, self, dim, keepdim)
    return second if first is None else aten.add(first, second)
