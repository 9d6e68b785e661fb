# cython: annotation_typing=False
"""Normalisation over the last dimensions, and over groups of channels."""

from __future__ import annotations

import math

import numpy as np

from ...devices import cpu as kernels
from ...core import dtype as dtypes
from ...core.device import contiguous_format
from ...core.modes import is_grad_enabled
from ...dispatch.aten import aten
from ...dispatch.dispatcher import call
from ...devices.cpu.errstate import silent
from ...opdef.form import Op
from ..create.factories import empty
from ..shared.layout import compact, in_order
from ..shared.not_differentiable import UNKNOWN, unknown
from ..view.view import View
from .activation import not_implemented
from .double_backward import second_derivative


def _result(shape, dtype):
    return empty(shape, dtype, contiguous_format)


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


def _array(t):
    return None if t is None else in_order(t)._mt_array


def _shape_check(input, normalized_shape, weight, bias):
    if normalized_shape and input._mt_array.shape[-len(normalized_shape):] == normalized_shape \
            and all([t is None or t._mt_array.shape == normalized_shape for t in (weight, bias)]):
        return
    wanted = list(normalized_shape)
    if not wanted:
        raise RuntimeError("Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
                           "element, but got normalized_shape = []")
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and list(t._mt_array.shape) != wanted:
            raise RuntimeError(f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                               f"{list(t._mt_array.shape)} and normalized_shape = {wanted}")
    if list(input._mt_array.shape[-len(wanted):]) != wanted:
        starred = ", ".join(["*", *map(str, wanted)])
        raise RuntimeError(f"Given normalized_shape={wanted}, expected input with shape [{starred}], but got input of "
                           f"size{list(input._mt_array.shape)}")


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

    def meta(input, normalized_shape, weight, bias, eps):
        _shape_check(input, normalized_shape, weight, bias)

    def body(input, normalized_shape, weight, bias, eps):
        shape = input._mt_array.shape
        kept = len(shape) - len(normalized_shape)
        rows, cols = math.prod(shape[:kept]), math.prod(normalized_shape)
        x, w, b = in_order(input)._mt_array, _array(weight), _array(bias)
        out, kind = _result(shape, input.dtype), parameter_type(input, weight, bias)
        mean, rstd = empty((rows,), kind), empty((rows,), kind)
        if input.dtype.category != dtypes.FLOATING:
            raise not_implemented("LayerNormKernelImpl", input.dtype)
        if rows:
            kernels.norm.layer_norm(out._mt_array, mean._mt_array, rstd._mt_array, x, w, b, rows, cols, eps)
        shown = (*shape[:kept], *[1] * len(normalized_shape))
        return out, call(_VIEW, (mean, shown)), call(_VIEW, (rstd, shown))

    def grads(grads, input, normalized_shape, weight, bias, result1, result2, needs):
        return call(_NATIVE_LAYER_NORM_BACKWARD, (grads[0], input, normalized_shape, result1, result2, weight, bias,
                                                  needs))


class NativeLayerNormBackward(Op):
    """Derivatives of layer_norm for those of input, weight and bias that are asked for."""

    schema = ("native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, "
              "Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)")
    grads_of = "grad_out input weight bias"

    def body(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask):
        shape, dtype = input._mt_array.shape, input.dtype
        cols = math.prod(normalized_shape)
        rows = mean._mt_array.size
        for_input, for_weight, for_bias = output_mask
        input = in_order(input)
        grad_input = _result(shape, dtype) if for_input else None
        grad_weight = _result(normalized_shape, weight.dtype) if for_weight else None
        grad_bias = _result(normalized_shape, bias.dtype) if for_bias else None
        grad, x, w = in_order(grad_out)._mt_array, input._mt_array, _array(weight)
        sums = empty((0,), dtypes.float32 if dtype.itemsize == 2 else dtype)  # for weight and bias, not yet rounded
        if for_weight or for_bias:
            aten.zero_(aten.resize_(sums, (2, 1, cols)))
        gw, gb = (sums._mt_array[0, 0] if for_weight else None), (sums._mt_array[1, 0] if for_bias else None)
        kernels.norm.layer_norm_backward(None if grad_input is None else grad_input._mt_array, gw, gb, grad, x,
                                         mean._mt_array, rstd._mt_array, w, rows, cols)
        for made, found in ((grad_weight, gw), (grad_bias, gb)):
            if made is not None:
                made._mt_array[...] = found.reshape(made._mt_array.shape)
        return grad_input, grad_weight, grad_bias

    def grads(grads, grad_out, input, normalized_shape, mean, rstd, weight):
        ndim, lead = input._mt_array.ndim, input._mt_array.ndim - len(normalized_shape)
        found = second_derivative(grads, grad_out, input, mean, rstd, weight, tuple(range(lead, ndim)),
                                  tuple(range(lead)))
        return *found, None


class GroupNorm(Op):
    """Each group of channels of each sample normalised by itself."""

    schema = ("group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, "
              "float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor")

    def body(input, num_groups, weight, bias, eps, cudnn_enabled):
        shape = input._mt_array.shape
        if len(shape) < 2:
            raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {len(shape)}")
        n, c = shape[:2]
        _group_check(shape, c, num_groups, weight, bias)
        found = aten.native_group_norm(in_order(input), _in_order(weight), _in_order(bias), n, c,
                                       math.prod(shape[2:]), num_groups, eps)
        return found[0]


def _in_order(t):
    return None if t is None else in_order(t)


def _group_check(shape, channels, groups, weight, bias):
    if groups <= 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {groups}")
    if channels % groups:
        raise RuntimeError("Expected number of channels in input to be divisible by num_groups, but got input of shape "
                           f"{list(shape)} and num_groups={groups}")
    for name, t in (("weight", weight), ("bias", bias)):
        if t is not None and t._mt_array.shape != (channels,):
            raise RuntimeError(f"Expected {name} to be a vector of size equal to the number of channels in input, but "
                               f"got {name} of shape {list(t._mt_array.shape)} and input of shape {list(shape)}")


class NativeGroupNorm(Op):
    """group_norm, with the means and inverse standard deviations it found."""

    schema = ("native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, "
              "int group, float eps) -> (Tensor, Tensor, Tensor)")
    grads_of = "input weight bias"

    def body(input, weight, bias, N, C, HxW, group, eps):
        _group_check(input._mt_array.shape, C, group, weight, bias)
        out, kind = _result(input._mt_array.shape, input.dtype), parameter_type(input, weight, bias)
        mean, rstd = empty((N, group), kind), empty((N, group), kind)
        if input.dtype.category != dtypes.FLOATING:
            raise not_implemented("GroupNormKernelImpl", input.dtype)
        kernels.norm.group_norm(out._mt_array, mean._mt_array, rstd._mt_array, in_order(input)._mt_array,
                                _array(weight), _array(bias), N, C, HxW, group, eps)
        return out, mean, rstd

    def grads(grads, input, weight, N, C, HxW, group, eps, result1, result2, needs):
        if grads[0] is None:
            return None, None, None
        if is_grad_enabled() or grads[1] is not None or grads[2] is not None:
            parts = aten.reshape(input, (N, group, -1))
            return _group_norm_grads(grads, parts, input._mt_array.shape, weight, eps, needs)
        grad = in_order(grads[0])
        return aten.native_group_norm_backward(grad, in_order(input), result1, result2, weight, N, C, HxW, group, needs)


def _group_norm_grads(grads, input, shape, weight, eps, needs):
    """The same in ops, which can be differentiated again; statistics that were used have a part in it."""
    centred = aten.sub(input, aten.mean(input, (2,), True))
    rstd = aten.rsqrt(aten.add(aten.mean(aten.mul(centred, centred), (2,), True), eps))
    hat = aten.mul(centred, rstd)
    back = None
    if needs[0]:
        channels = (1, shape[1], *[1] * (len(shape) - 2))
        scaled = grads[0] if weight is None else aten.mul(grads[0], aten.view(weight, channels))
        scaled = aten.reshape(scaled, input._mt_array.shape)
        pull = aten.mul(hat, aten.mean(aten.mul(scaled, hat), (2,), True))
        back = aten.mul(aten.sub(aten.sub(scaled, aten.mean(scaled, (2,), True)), pull), rstd)
        count = hat._mt_array.shape[2]
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

    @silent
    def body(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask):
        dtype = input.dtype
        made = [_result(shape, dtype) if wanted else None
                for shape, wanted in zip((input._mt_array.shape, (C,), (C,)), output_mask)]
        wide = dtypes.float32 if dtype.itemsize == 2 else dtype
        by_input, plain = empty((N, C), wide), empty((N, C), wide)  # sums over each channel of grad * input and of grad
        grad, x = compact(grad_out._mt_array), compact(input._mt_array)
        g, flat = [a.reshape(N, C, HxW).astype(wide.numpy, copy=False) for a in (grad, x)]
        np.einsum("ncl,ncl->nc", g, flat, out=by_input._mt_array)
        np.sum(g, axis=2, out=plain._mt_array)
        if made[0] is not None:
            kernels.norm.group_norm_backward(made[0]._mt_array, None, None, grad, x, mean._mt_array, rstd._mt_array,
                                             _array(weight), N, C, HxW, group)
        m, s = [np.repeat(t._mt_array, C // group, axis=1) for t in (mean, rstd)]
        if made[1] is not None:
            made[1]._mt_array[...] = ((by_input._mt_array - plain._mt_array * m) * s).sum(axis=0)
        if made[2] is not None:
            made[2]._mt_array[...] = plain._mt_array.sum(axis=0)
        return tuple(made)


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
        ndim = input._mt_array.ndim
        dims = tuple(range(ndim - len(normalized_shape), ndim))
        wide = dtypes.float32 if input.dtype.itemsize == 2 else input.dtype
        x = aten.to(input, wide)
        if eps is None:
            eps = float(np.finfo(wide.numpy).eps)
        rstd = aten.rsqrt(aten.add_(aten.mean(aten.pow(x, 2), dims, True), eps))
        out = aten.mul(x, rstd)
        if weight is not None:
            out = aten.mul(out, weight)
        return aten.type_as(out, input), rstd


# The ops called above, looked up once.
_NATIVE_LAYER_NORM = NativeLayerNorm.op
_NATIVE_LAYER_NORM_BACKWARD = NativeLayerNormBackward.op
_VIEW = View.op
