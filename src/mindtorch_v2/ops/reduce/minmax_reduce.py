# cython: annotation_typing=False
"""The largest and the smallest, and where they stand. NaN is larger and smaller than everything."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.geometry import wrap_dim, wrap_dims
from ...core.kinds import holds_many
from ...core.tensor import blank, ndim_of, numel_of, shape_of
from ...devices.kernel import ask, run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.layout import in_order
from .reduction import accumulator, check_not_empty, prefill, reduced

_NOT_CASTABLE = ("Expected canCast( typeMetaToScalarType(self.dtype()), typeMetaToScalarType(out.dtype())) to be true, "
                 "but got false.  (Could this error message be improved?  If so, please report an enhancement request "
                 "to PyTorch.)")
NO_PLACE_GRADIENT = "a place has no gradient"


def _lowest(dtype, sign: int):
    """What every element of a type beats: the neutral value of a maximum (sign 1) or a minimum (sign -1)."""
    if dtype.category >= dtypes.FLOATING:
        return -sign * float("inf")
    if dtype is dtypes.bool_:
        return sign < 0
    info = dtypes.iinfo(dtype)
    return info.min if sign > 0 else info.max


def _check_not_nothing(name: str, self) -> None:
    if numel_of(self) == 0:
        raise RuntimeError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                           "reduction dim with the 'dim' argument.")


def _extreme_rule(name: str, kernel_name: str):
    """The rule of amax and amin, with the names in their complaints."""
    def rule(self, dim, keepdim) -> Spec:
        if not len(dim):
            _check_not_nothing(name, self)
        check_not_empty(f"{name}()", self, dim)
        if self.dtype.is_complex and numel_of(self):
            raise not_implemented(kernel_name, self.dtype)
        return reduced(self, dim, keepdim, self.dtype)
    return rule


def _check_extreme_out(self, dim, keepdim, out) -> None:
    if out.dtype is not self.dtype:
        raise RuntimeError(f"Expected the dtype for input and out to match, but got {self.dtype.short} for input's "
                           f"dtype and {out.dtype.short} for out's dtype.")


def _extreme_into(kernel, sign: int, out, self, dim, keepdim: bool) -> None:
    shown = accumulator(out, self, dim, keepdim)
    if numel_of(self):
        if sign > 0 or self.dtype is not dtypes.int64:  # torch's minimum of int64 starts from an element
            prefill(shown, _lowest(self.dtype, sign))
        kernel(shown, self, wrap_dims(dim, ndim_of(self)))


def restored(t, dims, ndim: int, keepdim: bool):
    """A reduced tensor with ones where its dimensions were."""
    if keepdim:
        return t
    shape = list(shape_of(t))
    for d in sorted(wrap_dims(dims, ndim)) if len(dims) else ():
        shape.insert(d, 1)
    return aten.reshape(t, tuple(shape))


def share_among(grad, chosen, dims):
    """The gradient divided among all elements that are the extreme one."""
    return aten.mul(aten.div(grad, aten.sum(chosen, dims, True)), chosen)


class Amax(Op):
    """The largest element over some dimensions."""

    schema = "amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"
    variants = "method out"
    meta = _extreme_rule("amax", "max_values_cpu")
    overlap = "shares_inputs"
    check_out = _check_extreme_out

    def into(out, self, dim, keepdim):
        _extreme_into(run.amax, 1, out, self, dim, keepdim)

    def grad_self(grad, self, result, dim, keepdim):
        chosen = aten.eq(restored(result, dim, self.dim(), keepdim), self)
        return share_among(restored(grad, dim, self.dim(), keepdim), chosen, dim)


class Amin(Op):
    """The smallest element over some dimensions."""

    schema = "amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor"
    variants = "method out"
    meta = _extreme_rule("amin", "min_values_cpu")
    overlap = "shares_inputs"
    check_out = _check_extreme_out

    def into(out, self, dim, keepdim):
        _extreme_into(run.amin, -1, out, self, dim, keepdim)

    def grad_self(grad, self, result, dim, keepdim):
        chosen = aten.eq(restored(result, dim, self.dim(), keepdim), self)
        return share_among(restored(grad, dim, self.dim(), keepdim), chosen, dim)


class Aminmax(Op):
    """The smallest and the largest element."""

    schema = "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)"
    variants = "method out"
    results = "min max"
    overlap = "expanded_out shares_inputs"

    def meta(self, dim, keepdim):
        if self.dtype.is_complex and (dim is not None or numel_of(self)):
            raise not_implemented("aminmax_cpu", self.dtype)
        if dim is not None:
            check_not_empty("aminmax", self, dim)
        elif numel_of(self) == 0:
            raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
                               "identity.")
        extreme = reduced(self, dim, keepdim, self.dtype)
        return extreme, extreme

    def into(min, max, self, dim, keepdim):
        if dim is None:
            aten.fill_(min, ask.smallest(self))
            aten.fill_(max, ask.largest(self))
            return
        dims = (wrap_dim(dim, ndim_of(self)),)
        kept = keepdim or not ndim_of(self)
        if not kept:
            aten.unsqueeze_(min, dims[0])
            aten.unsqueeze_(max, dims[0])
        run.amin(min, self, dims)
        run.amax(max, self, dims)
        if not kept:
            aten.squeeze_(min, dims[0])
            aten.squeeze_(max, dims[0])

    def grad_self(grads, self, min, max, dim, keepdim):
        dims = () if dim is None else (dim,)
        total = None
        for grad, extreme in zip(grads, (min, max)):
            if grad is None:
                continue
            if not keepdim:
                shape = reduced(self, dims, True, self.dtype).shape
                grad, extreme = aten.reshape(grad, shape), aten.reshape(extreme, shape)
            part = share_among(grad, aten.eq(self, extreme), dims)
            total = part if total is None else aten.add(total, part)
        return total


def all_equal_gradient(grad, self, result):
    """The gradient of an extreme of everything, shared among all elements equal to it."""
    if holds_many(self, result):
        chosen = aten.where(aten.isnan(result), aten.isnan(self), aten.eq(self, result))
        return aten.where(chosen, aten.div(grad, aten.sum(chosen)), 0)
    nan = aten.item(aten.isnan(result))
    chosen = aten.isnan(self) if nan else aten.eq(self, result)
    zeros = aten.new_zeros(grad, shape_of(self))
    return aten.masked_fill_(zeros, chosen, aten.div(grad, aten.sum(chosen)))


def _whole_rule(name: str):
    """The rule of max and min of everything."""
    def rule(self, out=None) -> Spec:
        if out is not None and self.dtype.category > out.dtype.category:
            raise RuntimeError(_NOT_CASTABLE)
        _check_not_nothing(name, self)
        if self.dtype.is_complex:
            raise not_implemented(f"{name}_all", self.dtype)
        return Spec((), self.dtype)
    return rule


def _whole(extreme, kernel, self, out):
    if out is None and dispatcher.is_unobserved():
        out = blank((), self.dtype)
        kernel(out, self, tuple(range(ndim_of(self))))
        return out
    out = aten.empty((), dtype=self.dtype, layout=strided) if out is None else resize_output(out, ())
    return aten.fill_(out, extreme(in_order(self)))


def _along_rule(name: str):
    """The rule of max and min along a dimension: values and their places."""
    def rule(self, dim, keepdim) -> tuple[Spec, Spec]:
        check_not_empty(f"{name}()", self, dim)
        if self.dtype.is_complex:
            raise RuntimeError(f"{name}(): does not support complex input")
        return reduced(self, dim, keepdim, self.dtype), reduced(self, dim, keepdim, dtypes.int64)
    return rule


def _along(kernel, values, indices, self, dim: int, keepdim: bool) -> None:
    """Extremes along a dimension and their places; the results are shown with that dimension while they are written."""
    dim = wrap_dim(dim, ndim_of(self))
    if not ndim_of(self):
        aten.fill_(values, self)
        aten.fill_(indices, 0)
        return
    if dispatcher.is_unobserved():
        kernel(accumulator(values, self, dim, keepdim), accumulator(indices, self, dim, keepdim), self, dim)
        return
    if not keepdim:
        aten.unsqueeze_(values, dim)
        aten.unsqueeze_(indices, dim)
    kernel(values, indices, self, dim)
    if not keepdim:
        aten.squeeze_(values, dim)
        aten.squeeze_(indices, dim)


class Max(Op):
    """The largest element."""

    schema = "max(Tensor self) -> Tensor"
    variants = "method unary_out"
    overlap = "expanded_out shares_inputs"
    node = "MaxBackward1"
    meta = _whole_rule("max")

    def body(self, out=None):
        return _whole(ask.largest, run.amax, self, out)

    def grad_self(grad, self, result):
        return all_equal_gradient(grad, self, result)


class MaxDim(Op):
    """The largest elements along a dimension, and where they stand."""

    schema = "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method dim_max(max,max_values)"
    node = "MaxBackward0"
    results = "values indices"
    overlap = "shares_inputs"
    meta = _along_rule("max")

    def into(values, indices, self, dim, keepdim):
        _along(run.max_along, values, indices, self, dim, keepdim)

    def grad_self(grad, self_shape, indices, dim, keepdim):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, keepdim)


class MaxOther(Op):
    """The larger of two tensors, element by element."""

    schema = "max.other(Tensor self, Tensor other) -> Tensor"
    variants = "method .out"

    def body(self, other):
        return aten.maximum(self, other)

    def out(self, other, out):
        return aten.maximum(self, other, out=out)


class Min(Op):
    """The smallest element."""

    schema = "min(Tensor self) -> Tensor"
    variants = "method unary_out"
    overlap = "expanded_out shares_inputs"
    node = "MinBackward1"
    meta = _whole_rule("min")

    def body(self, out=None):
        return _whole(ask.smallest, run.amin, self, out)

    def grad_self(grad, self, result):
        return all_equal_gradient(grad, self, result)


class MinDim(Op):
    """The smallest elements along a dimension, and where they stand."""

    schema = "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)"
    variants = "method dim_min(min,min_indices)"
    node = "MinBackward0"
    results = "values indices"
    overlap = "shares_inputs"
    meta = _along_rule("min")

    def into(values, indices, self, dim, keepdim):
        _along(run.min_along, values, indices, self, dim, keepdim)

    def grad_self(grad, self_shape, indices, dim, keepdim):
        return aten.value_selecting_reduction_backward(grad, dim, indices, self_shape, keepdim)


class MinOther(Op):
    """The smaller of two tensors, element by element."""

    schema = "min.other(Tensor self, Tensor other) -> Tensor"
    variants = "method .out"

    def body(self, other):
        return aten.minimum(self, other)

    def out(self, other, out):
        return aten.minimum(self, other, out=out)


class ValueSelectingReductionBackward(Op):
    """The gradient of values chosen along a dimension: each goes back to where its value stood."""

    schema = ("value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) "
              "-> Tensor")

    def body(grad, dim, indices, sizes, keepdim):
        if not keepdim and len(sizes):
            grad, indices = aten.unsqueeze(grad, dim), aten.unsqueeze(indices, dim)
        return aten.scatter_(aten.zeros(tuple(sizes), dtype=grad.dtype, layout=strided), dim, indices, grad)


def _place_rule(name: str):
    """The rule of argmax and argmin."""
    def rule(self, dim, keepdim) -> Spec:
        if self.dtype is dtypes.bool_ or self.dtype.is_complex:
            kind = "complex" if self.dtype.is_complex else "bool"
            raise RuntimeError(f"{name}(): does not support {kind} input")
        if dim is None and numel_of(self) == 0:
            raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
        if dim is not None:
            check_not_empty(f"{name}()", self, dim)
        return reduced(self, dim, keepdim, dtypes.int64)
    return rule


def _place(kernel, out, self, dim, keepdim: bool) -> None:
    flat = dim is None
    kept = keepdim and not flat and ndim_of(self) > 0
    if flat:
        self, dim = aten.reshape(self, (-1,)), 0
    elif not ndim_of(self):
        self = aten.reshape(self, (1,))
    shown = accumulator(out, self, dim, kept)
    if numel_of(out):
        kernel(shown, self, dim)


class Argmax(Op):
    """Where the largest element stands."""

    schema = "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"
    variants = "method out"
    below = NO_PLACE_GRADIENT
    meta = _place_rule("argmax")
    overlap = "shares_inputs"

    def into(out, self, dim, keepdim):
        _place(run.argmax, out, self, dim, keepdim)


class Argmin(Op):
    """Where the smallest element stands."""

    schema = "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor"
    variants = "method out"
    below = NO_PLACE_GRADIENT
    meta = _place_rule("argmin")
    overlap = "shares_inputs"

    def into(out, self, dim, keepdim):
        _place(run.argmin, out, self, dim, keepdim)
