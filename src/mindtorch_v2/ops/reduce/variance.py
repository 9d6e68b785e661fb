# cython: annotation_typing=False
"""Variances and standard deviations: two names for one family, of which the second takes a root."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dims
from ...core.tensor import blank, ndim_of, numel_of, shape_of
from ...core.user_warning import warn_user
from ...devices.facts import has_values, offers
from ...devices.kernel import ask, run
from ...dispatch.aten import aten
from ...dispatch.dispatcher import is_unobserved
from ...dispatch.out_argument import resize_output
from ...opdef.form import declare
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from .reduction import accumulator, count, expand_back, in_type, reduced, unsqueezed

BY_MEAN = (dtypes.float32, dtypes.float64)  # over everything, torch's CPU goes by way of the mean of these
DEFAULT_CORRECTION = 1


def _corrected(correction):
    return DEFAULT_CORRECTION if correction is None else correction


def _rule(self, dim, correction, keepdim) -> Spec:
    if self.dtype.category < dtypes.FLOATING:
        raise RuntimeError("std and var only support floating point and complex dtypes")
    return reduced(self, dim, keepdim, self.dtype.to_real())


def _pair_rule(name: str):
    """The rule of a measure together with the mean."""
    def rule(self, dim, correction, keepdim) -> tuple[Spec, Spec]:
        if self.dtype.category < dtypes.FLOATING:
            raise RuntimeError(f"{name} only support floating point and complex dtypes")
        return _rule(self, dim, correction, keepdim), reduced(self, dim, keepdim, self.dtype)
    return rule


def _new(spec: Spec):
    """A result that torch makes empty, and then gives its shape."""
    if is_unobserved():
        return blank(spec.shape, spec.dtype)
    return resize_output(aten.empty((0,), dtype=spec.dtype, layout=strided), spec.shape)


def _warn_of_freedom(name: str, self, dim, correction) -> None:
    if has_values(self) and count(shape_of(self), dim) <= correction:
        warn_user(f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
                  "(input numel divided by output numel).")


def _measure(out, self, dim, correction, keepdim: bool, root: bool) -> None:
    dims, correction = wrap_dims(dim, ndim_of(self)), _corrected(correction)
    _warn_of_freedom("std" if root else "var", self, dim, correction)
    shown = accumulator(out, self, dim, keepdim)
    if out.dtype.is_complex:
        raise not_implemented("std_cpu", out.dtype)
    if not self.dtype.is_complex:
        self = in_type(self, out.dtype)
    if numel_of(self) == 0:
        aten.fill_(out, float("nan"))
    elif self.dtype in BY_MEAN and len(dims) == ndim_of(self) and offers(self, "spread_of_all"):
        measure = ask.spread_of_all(self, aten.item(aten.mean(self)), correction, root)
        if is_unobserved():
            run.fill(out, measure)
        else:
            aten.fill_(out, measure)
    else:
        run.spread(shown, self, dims, correction, root)


def _measure_with_mean(specs, self, dim, correction, keepdim: bool, root: bool):
    _warn_of_freedom("std_mean" if root else "var_mean", self, dim, _corrected(correction))
    outs = [aten.empty((0,), dtype=spec.dtype, layout=strided) for spec in specs]
    shown = [accumulator(resize_output(out, spec.shape), self, dim, keepdim) for out, spec in zip(outs, specs)]
    run.spread_and_mean(*shown, self, wrap_dims(dim, ndim_of(self)), _corrected(correction), root)
    return tuple(outs)


def var_gradient(grad, self, dim, correction, keepdim):
    """2 / (n - correction) * grad * (self - mean)."""
    shape = shape_of(self)
    whole = not len(shape) or dim is None
    if not whole:
        grad = unsqueezed(grad, shape, dim, keepdim)
    n = count(shape, dim) - _corrected(correction)
    apart = aten.sub(self, aten.mean(self) if whole else aten.mean(self, dim, True))
    return aten.mul(aten.mul(grad, 2.0 / n if n else float("inf")), apart)


def std_gradient(grad, self, result, dim, correction, keepdim):
    """The gradient of the variance by twice the deviation, and nothing where that is zero."""
    inner = aten.div(grad, aten.mul(result, 2))
    aten.masked_fill_(inner, aten.eq(result, 0), 0)
    return var_gradient(inner, self, dim, correction, keepdim)


def var_mean_gradient(grads, self, dim, correction, keepdim):
    """By way of the variance, of the mean, or of both."""
    first = None if grads[0] is None else var_gradient(grads[0], self, dim, correction, keepdim)
    return _joined(first, grads[1], self, dim, keepdim)


def std_mean_gradient(grads, self, result0, dim, correction, keepdim):
    """By way of the deviation, of the mean, or of both."""
    first = None if grads[0] is None else std_gradient(grads[0], self, result0, dim, correction, keepdim)
    return _joined(first, grads[1], self, dim, keepdim)


def _joined(first, grad, self, dim, keepdim: bool):
    """The gradient by way of the measure plus the gradient by way of the mean, whichever there are."""
    if grad is None:
        return first
    second = aten.div(expand_back(grad, shape_of(self), dim, keepdim), count(shape_of(self), dim))
    return second if first is None else aten.add(first, second)


def _unbiased_along(name: str):
    """The form with a flag for the usual correction."""
    return lambda self, dim, unbiased, keepdim: getattr(aten, name)(self, dim, correction=int(unbiased),
                                                                    keepdim=keepdim)


def _unbiased(name: str):
    """The same over everything."""
    return lambda self, unbiased: getattr(aten, name)(self, None, correction=int(unbiased))


def _declare(name: str, root: bool, what: str, gradient) -> None:
    """The measure with a correction, which is subtracted from the number of elements, and its older forms."""
    over = f"{what} over some dimensions"

    def new(self, dim, correction, keepdim):
        out = _new(_rule(self, dim, correction, keepdim))
        _measure(out, self, dim, correction, keepdim, root)
        return out

    def into(out, self, dim, correction, keepdim):
        _measure(out, self, dim, correction, keepdim, root)

    def unbiased_rule(self, dim, unbiased, keepdim):
        return _rule(self, dim, int(unbiased), keepdim)

    def unbiased_into(out, self, dim, unbiased, keepdim):
        _measure(out, self, dim, int(unbiased), keepdim, root)

    corrected = "Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False"
    unbiased = "Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False"
    written = {"out_type": "castable", "overlap": "expanded_out shares_inputs"}
    declare(f"{name}.dim({unbiased}) -> Tensor", f"{over}.", variants="method .out", body=_unbiased_along(name),
            meta=unbiased_rule, into=unbiased_into, **written)
    declare(f"{name}.correction({corrected}) -> Tensor", f"{over}, with a correction of their number.",
            variants="method", meta=_rule, body=new, grad_self=gradient)
    declare(f"{name}.correction_out({corrected}, Tensor(a!) out) -> Tensor(a!)", f"{over}, into a given tensor.",
            meta=_rule, into=into, **written)
    declare(f"{name}(Tensor self, bool unbiased=True) -> Tensor", f"{what} of all elements.", variants="method",
            body=_unbiased(name))


def _declare_with_mean(name: str, root: bool, what: str, gradient) -> None:
    """The same together with the mean."""
    rule = _pair_rule(name)

    def new(self, dim, correction, keepdim):
        return _measure_with_mean(rule(self, dim, correction, keepdim), self, dim, correction, keepdim, root)

    declare(f"{name}.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
            f"{what} and the mean over some dimensions.",
            body=_unbiased_along(name))
    declare(f"{name}.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) "
            "-> (Tensor, Tensor)", f"{what}, with a correction, and the mean over some dimensions.",
            meta=rule, body=new, grad_self=gradient)
    declare(f"{name}(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", f"{what} and the mean of all elements.",
            body=_unbiased(name))


_declare("var", False, "The variance", var_gradient)
_declare("std", True, "The standard deviation", std_gradient)
_declare_with_mean("var_mean", False, "The variance", var_mean_gradient)
_declare_with_mean("std_mean", True, "The standard deviation", std_mean_gradient)
