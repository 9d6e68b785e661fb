# cython: annotation_typing=False
"""Normalisation over the last dimensions, and over groups of channels."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.modes import is_grad_enabled
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..create.factories import empty
from ..shared.layout import in_order
from ..shared.memory_format import in_format, like_its_input, suggested_format
from ..shared.not_differentiable import UNKNOWN, unknown
from ..view.view import View
from .double_backward import second_derivative

ASKS_ITS_RULE = "its body asks the rule what to make"


def _result(shape, dtype, memory_format=contiguous_format):
    return empty(shape, dtype, memory_format)


def _results(specs):
    """Memory for those results that are asked for."""
    return [None if spec is None else _result(spec.shape, spec.dtype) for spec in specs]


def parameter_type(input, *parameters):
    """The one type of all parameters: the input's, or float32 for inputs in half precision."""
    for t in parameters:
        if t is not None and t.dtype is not input.dtype:
            break
    else:
        return input.dtype
    given = [t.dtype for t in parameters if t is not None]
    if given[0] is input.dtype:
        raise RuntimeError(f"expected scalar type {input.dtype.short} but found {t.dtype.short}")
    for dtype in given:
        if dtype is not dtypes.float32:
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if input.dtype.category != dtypes.FLOATING or input.dtype.itemsize != 2:
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    return dtypes.float32


def _reduced(input, normalized_shape) -> tuple[int, ...]:
    """The shape of what is known of every row: ones where it was normalised."""
    shape = shape_of(input)
    return (*shape[:len(shape) - len(normalized_shape)], *[1] * len(normalized_shape))


def _shape_check(input, normalized_shape, weight, bias):
    if normalized_shape and shape_of(input)[-len(normalized_shape):] == normalized_shape \
            and all([t is None or shape_of(t) == normalized_shape for t in (weight, bias)]):
        return
    wanted = list(normalized_shape)
    if not wanted:
        raise RuntimeError("Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
                           "element, but got normalized_shape = []")
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and list(shape_of(t)) != wanted:
            raise RuntimeError(f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                               f"{list(shape_of(t))} and normalized_shape = {wanted}")
    if list(shape_of(input)[-len(wanted):]) != wanted:
        starred = ", ".join(["*", *map(str, wanted)])
        raise RuntimeError(f"Given normalized_shape={wanted}, expected input with shape [{starred}], but got input of "
                           f"size{list(shape_of(input))}")


class LayerNorm(Op):
    """Mean taken off and standard deviation divided out over the last dimensions."""

    schema = ("layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, "
              "float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor")

    def body(input, normalized_shape, weight, bias, eps, cudnn_enable):
        return call(_NATIVE_LAYER_NORM, (input, normalized_shape, weight, bias, eps))[0]


class NativeLayerNorm(Op):
    """layer_norm, with the mean and the inverse standard deviation it found."""

    schema = ("native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> "
              "(Tensor, Tensor, Tensor)")
    grads_of = "input weight bias"
    no_grad_for = "result1 result2"

    kernel_types = "LayerNormKernelImpl: floating"

    def meta(input, normalized_shape, weight, bias, eps):
        _shape_check(input, normalized_shape, weight, bias)
        statistic = Spec(_reduced(input, normalized_shape), parameter_type(input, weight, bias))
        return Spec(shape_of(input), input.dtype), statistic, statistic

    def body(input, normalized_shape, weight, bias, eps):
        shape = shape_of(input)
        rows, cols = math.prod(shape[:len(shape) - len(normalized_shape)]), math.prod(normalized_shape)
        x, weight, bias = in_order(input), _in_order(weight), _in_order(bias)
        out, kind = _result(shape, input.dtype), parameter_type(input, weight, bias)
        mean, rstd = empty((rows,), kind), empty((rows,), kind)
        if rows:
            run.layer_norm(out, mean, rstd, x, weight, bias, rows, cols, eps)
        reduced = _reduced(input, normalized_shape)
        return out, call(_VIEW, (mean, reduced)), call(_VIEW, (rstd, reduced))

    def grads(grads, input, normalized_shape, weight, bias, result1, result2, needs):
        return call(_NATIVE_LAYER_NORM_BACKWARD, (grads[0], input, normalized_shape, result1, result2, weight, bias,
                                                  needs))


class NativeLayerNormBackward(Op):
    """Derivatives of layer_norm for those of input, weight and bias that are asked for."""

    schema = ("native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, "
              "Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)")
    grads_of = "grad_out input weight bias"
    tuned = "its body makes what the rule says without asking it"

    def meta(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask):
        for_input, for_weight, for_bias = output_mask
        return (Spec(shape_of(input), input.dtype) if for_input else None,
                Spec(tuple(normalized_shape), weight.dtype) if for_weight else None,
                Spec(tuple(normalized_shape), bias.dtype) if for_bias else None)

    def body(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask):
        cols, rows = math.prod(normalized_shape), numel_of(mean)
        x = in_order(input)
        for_input, for_weight, for_bias = output_mask
        grad_input = _result(shape_of(input), input.dtype) if for_input else None
        grad_weight = _result(normalized_shape, weight.dtype) if for_weight else None
        grad_bias = _result(normalized_shape, bias.dtype) if for_bias else None
        grad, weight = in_order(grad_out), _in_order(weight)
        sums = empty((0,), input.dtype)  # for weight and bias
        if for_weight or for_bias:
            aten.zero_(aten.resize_(sums, (2, 1, cols)))
        run.layer_norm_grads(grad_input, grad_weight, grad_bias, sums, grad, x, mean, rstd, weight, rows, cols)
        return grad_input, grad_weight, grad_bias

    def grads(grads, grad_out, input, normalized_shape, mean, rstd, weight):
        ndim, lead = ndim_of(input), ndim_of(input) - len(normalized_shape)
        gradients = second_derivative(grads, grad_out, input, mean, rstd, weight, tuple(range(lead, ndim)),
                                  tuple(range(lead)))
        return *gradients, None


class GroupNorm(Op):
    """Each group of channels of each sample normalised by itself."""

    schema = ("group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
              "float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor")

    def body(input, num_groups, weight, bias, eps, cudnn_enabled):
        shape = shape_of(input)
        if len(shape) < 2:
            raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {len(shape)}")
        n, c = shape[:2]
        _group_check(shape, c, num_groups, weight, bias)
        x = in_format(input, suggested_format(input))
        return aten.native_group_norm(x, _in_order(weight), _in_order(bias), n, c, math.prod(shape[2:]), num_groups,
                                      eps)[0]


def _in_order(t):
    return None if t is None else in_order(t)


def _group_check(shape, channels, groups, weight, bias):
    if groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    if channels % groups:
        raise RuntimeError("Expected number of channels in input to be divisible by num_groups, but got input of shape "
                           f"{list(shape)} and num_groups={groups}")
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and shape_of(t) != (channels,):
            raise RuntimeError(f"Expected {name} to be a vector of size equal to the number of channels in input, but "
                               f"got {name} of shape {list(shape_of(t))} and input of shape {list(shape)}")


class NativeGroupNorm(Op):
    """group_norm, with the means and inverse standard deviations it found."""

    schema = ("native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, "
              "int group, float eps) -> (Tensor, Tensor, Tensor)")
    grads_of = "input weight bias"

    kernel_types = "GroupNormKernelImpl: floating"

    def meta(input, weight, bias, N, C, HxW, group, eps):
        _group_check(shape_of(input), C, group, weight, bias)
        statistic = Spec((N, group), parameter_type(input, weight, bias))
        return like_its_input(input), statistic, statistic

    def body(input, weight, bias, N, C, HxW, group, eps):
        memory_format, kind = suggested_format(input), parameter_type(input, weight, bias)
        out = _result(shape_of(input), input.dtype, memory_format)
        mean, rstd = empty((N, group), kind), empty((N, group), kind)
        x, weight, bias = in_format(input, memory_format), _in_order(weight), _in_order(bias)
        run.group_norm(out, mean, rstd, x, weight, bias, N, C, HxW, group, eps)
        return out, mean, rstd

    def grads(grads, input, weight, N, C, HxW, group, eps, result1, result2, needs):
        if grads[0] is None:
            return None, None, None
        if is_grad_enabled() or grads[1] is not None or grads[2] is not None:
            parts = aten.reshape(input, (N, group, HxW * C // group))
            return _group_norm_grads(grads, parts, shape_of(input), weight, eps, needs)
        memory_format = suggested_format(input)
        grad, input = in_format(grads[0], memory_format), in_format(input, memory_format)
        return aten.native_group_norm_backward(grad, input, result1, result2, weight, N, C, HxW, group, needs)


def _group_norm_grads(grads, input, shape, weight, eps, needs):
    """The same in ops, which can be differentiated again; statistics that were used have a part in it."""
    centred = aten.sub(input, aten.mean(input, (2,), True))
    rstd = aten.rsqrt(aten.add(aten.mean(aten.mul(centred, centred), (2,), True), eps))
    hat = aten.mul(centred, rstd)
    back = None
    if needs[0]:
        channels = (1, shape[1], *[1] * (len(shape) - 2))
        scaled = grads[0] if weight is None else aten.mul(grads[0], aten.view(weight, channels))
        scaled = aten.reshape(scaled, shape_of(input))
        pull = aten.mul(hat, aten.mean(aten.mul(scaled, hat), (2,), True))
        back = aten.mul(aten.sub(aten.sub(scaled, aten.mean(scaled, (2,), True)), pull), rstd)
        count = shape_of(hat)[2]
        if grads[1] is not None:
            back = aten.add(back, aten.div(aten.unsqueeze(grads[1], 2), count))
        if grads[2] is not None:
            moved = aten.mul(aten.mul(aten.unsqueeze(grads[2], 2), aten.mul(rstd, rstd)), aten.div(hat, count))
            back = aten.sub(back, moved)
        back = aten.reshape(back, shape)
    others = (0, *range(2, len(shape)))
    of_weight = aten.sum(aten.mul(grads[0], aten.reshape(hat, shape)), others) if needs[1] else None
    return back, of_weight, aten.sum(grads[0], others) if needs[2] else None


class NativeGroupNormBackward(Op):
    """Derivatives of group_norm for those of input, weight and bias that are asked for."""

    schema = ("native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, "
              "SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)")
    node = UNKNOWN
    grads = unknown("native_group_norm_backward")
    tuned = ASKS_ITS_RULE

    def meta(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask):
        specs = like_its_input(input), Spec((C,), input.dtype), Spec((C,), input.dtype)
        return tuple([spec if wanted else None for spec, wanted in zip(specs, output_mask)])

    def body(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask):
        dtype = input.dtype
        wanted = [shape if w else None for shape, w in zip((shape_of(input), (C,), (C,)), output_mask)]
        formats = suggested_format(input), contiguous_format, contiguous_format
        grad_input, grad_weight, grad_bias = [
            None if shape is None else _result(shape, dtype, f) for shape, f in zip(wanted, formats)]
        wide = dtypes.float32 if dtype.itemsize == 2 else dtype
        by_input, plain = empty((N, C), wide), empty((N, C), wide)  # sums over each channel of grad * input and of grad
        run.group_norm_grads(grad_input, grad_weight, grad_bias, by_input, plain, grad_out, input, mean, rstd,
                             _in_order(weight), N, C, HxW, group)
        return grad_input, grad_weight, grad_bias


class RmsNorm(Op):
    """The root mean square divided out over the last dimensions."""

    schema = "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor"

    def body(input, normalized_shape, weight, eps):
        _shape_check(input, normalized_shape, weight, None)
        return aten._fused_rms_norm(input, normalized_shape, weight, eps)[0]


class FusedRmsNorm(Op):
    """rms_norm, with the inverse root mean square it found."""

    schema = ("_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, Tensor)")

    def body(input, normalized_shape, weight, eps):
        if input.dtype.category < dtypes.FLOATING:
            raise not_implemented("rms_norm", input.dtype)
        ndim = ndim_of(input)
        dims = tuple(range(ndim - len(normalized_shape), ndim))
        wide = dtypes.float32 if input.dtype.itemsize == 2 else input.dtype
        x = aten.to(input, wide)
        if eps is None:
            eps = dtypes.finfo(wide).eps
        rstd = aten.rsqrt(aten.add_(aten.mean(aten.pow(x, 2), dims, True), eps))
        out = aten.mul(x, rstd)
        if weight is not None:
            out = aten.mul(out, weight)
        return aten.type_as(out, input), rstd


# The ops called above, looked up once.
_NATIVE_LAYER_NORM = NativeLayerNorm.op
_NATIVE_LAYER_NORM_BACKWARD = NativeLayerNormBackward.op
_VIEW = View.op
