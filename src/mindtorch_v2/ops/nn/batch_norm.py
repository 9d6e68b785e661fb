"""Normalisation of each channel by the batch, or by running statistics."""

from __future__ import annotations

import math

import numpy as np

from ...core import dtype as dtypes
from ...core.device import strided
from ...devices import cpu as kernels
from ...devices.cpu.errstate import silent
from ...devices.cpu.layout import compact
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.layout import IN_ORDER, in_order
from ..shared.not_differentiable import constant
from .activation import not_implemented
from .double_backward import second_derivative
from .normalization import parameter_type

_SCHEMA = "Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, "


def _new(shape, dtype):
    return aten.empty(shape, dtype=dtype, layout=strided)


def _spans(shape):
    return shape[0], shape[1], math.prod(shape[2:])


def _other_dims(ndim):
    return tuple([i for i in range(ndim) if i != 1])


def _along_channels(t, ndim):
    """One number per channel, seen with the dimensions of the input."""
    tail = ndim - 2
    return aten.as_strided(t, (1, t._mt_array.shape[0], *[1] * tail), (0, t.stride()[0], *[0] * tail))._mt_array


class BatchNorm(Op):
    """Each channel normalised by its mean and variance over the batch, or by the running ones."""

    schema = "batch_norm(" + _SCHEMA + "float momentum, float eps, bool cudnn_enabled) -> Tensor"

    def body(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
        return aten._batch_norm_impl_index(input, weight, bias, running_mean, running_var, training, momentum, eps,
                                           cudnn_enabled)[0]


class BatchNormImplIndex(Op):
    """batch_norm, and which implementation did it: here always the first."""

    schema = ("_batch_norm_impl_index(" + _SCHEMA + "float momentum, float eps, bool cudnn_enabled) -> "
              "(Tensor, Tensor, Tensor, Tensor, int)")

    def body(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
        channels = input._mt_array.shape[1]
        given = {"running_mean": running_mean, "running_var": running_var, "weight": weight, "bias": bias}
        for name, t in given.items():
            if t is not None and t._mt_array.size != channels:
                raise RuntimeError(f"{name} should contain {channels} elements not {t._mt_array.size}")
            if t is None and not training and name.startswith("running"):
                raise RuntimeError(f"{name} must be defined in evaluation mode")
        reserve = _new((0,), dtypes.uint8)
        found = aten.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
        return (*found, reserve, 0)


class NativeBatchNorm(Op):
    """batch_norm, with the mean and the inverse standard deviation it used while training."""

    schema = "native_batch_norm(" + _SCHEMA + "float momentum, float eps) -> (Tensor, Tensor, Tensor)"
    grads_of = "input weight bias"
    no_grad_for = "result1 result2"

    def meta(input, weight, bias, running_mean, running_var, training, momentum, eps):
        constant("native_batch_norm", "running_mean", running_mean)
        constant("native_batch_norm", "running_var", running_var)

    @silent
    def body(input, weight, bias, running_mean, running_var, training, momentum, eps):
        if (running_mean is None) != (running_var is None):
            raise ValueError("running_mean and running_var must either both be None or neither be None")
        if running_mean is None and not training:
            raise RuntimeError("running_mean must be defined in evaluation mode")
        out = aten.empty_like(input, memory_format=IN_ORDER)
        if input.dtype.category != dtypes.FLOATING:
            raise not_implemented("batch_norm", input.dtype)
        kind = parameter_type(input, weight, bias, running_mean, running_var)
        if not input.is_contiguous():
            return _strided_batch_norm(out, input, weight, bias, running_mean, running_var, training, momentum, eps)
        channels = (input._mt_array.shape[1],)
        kept = channels if training else (0,)
        save_mean, save_invstd = _new(kept, kind), _new(kept, kind)
        x = input._mt_array.reshape(_spans(input._mt_array.shape))
        if training:
            _statistics(x, input, save_mean, save_invstd, running_mean, running_var, momentum, eps)
            mean, invstd = save_mean._mt_array, save_invstd._mt_array
        else:
            mean, variance = running_mean._mt_array, running_var._mt_array
            invstd = 1 / np.sqrt(variance + variance.dtype.type(eps))
        _normalise(out, x, mean, invstd, weight, bias)
        return out, save_mean, save_invstd

    def grads(grads, input, weight, running_mean, running_var, training, eps, result1, result2, needs):
        return aten.native_batch_norm_backward(grads[0], input, weight, running_mean, running_var, result1, result2,
                                               training, eps, needs)


def _wide(dtype):
    return dtypes.float32 if dtype.itemsize == 2 else dtype


def _statistics(x, input, save_mean, save_invstd, running_mean, running_var, momentum, eps):
    """This batch's statistics, which also move the running ones."""
    wide, channels = _wide(input.dtype), save_mean._mt_array.shape
    mean, squares = _new(channels, wide), _new(channels, wide)
    sums = None
    if input._mt_array.ndim == 2:  # where channels lie innermost, sums are gathered row by row
        sums = aten.zeros((1, *channels), dtype=wide, layout=strided)
        np.sum(x, axis=(0, 2), out=sums._mt_array[0], dtype=wide.numpy)
    count = x.shape[0] * x.shape[2]
    mean._mt_array[...] = (x.sum(axis=(0, 2), dtype=np.float64) if sums is None else sums._mt_array[0]) / count
    spread = np.square(x - mean._mt_array.reshape(1, -1, 1))
    if sums is None:
        squares._mt_array[...] = spread.sum(axis=(0, 2), dtype=np.float64)
    else:
        np.sum(spread, axis=(0, 2), out=aten.zero_(sums)._mt_array[0], dtype=wide.numpy)
        squares._mt_array[...] = sums._mt_array[0]
    _remember(mean._mt_array, squares._mt_array, count, save_mean, save_invstd, running_mean, running_var, momentum,
              eps)


def _remember(mean, squares, count, save_mean, save_invstd, running_mean, running_var, momentum, eps):
    if save_mean._mt_array is not mean:
        save_mean._mt_array[...] = mean
    save_invstd._mt_array[...] = 1 / np.sqrt(squares / count + eps)
    for running, now in ((running_mean, mean), (running_var, squares / np.float64(count - 1))):
        if running is not None:
            running._mt_array[...] = momentum * now + (1 - momentum) * running._mt_array


def _normalise(out, x, mean, invstd, weight, bias):
    """out = alpha x + beta, with alpha and beta for each channel."""
    wide = _wide(out.dtype)
    alpha, beta = _new(mean.shape, wide), _new(mean.shape, wide)
    alpha._mt_array[...] = invstd if weight is None else invstd * weight._mt_array
    beta._mt_array[...] = -mean * alpha._mt_array if bias is None else bias._mt_array - mean * alpha._mt_array
    shown = [t._mt_array.reshape(1, -1, 1) for t in (alpha, beta)]
    flat = out._mt_array.reshape(x.shape)
    if out.dtype is wide:
        np.multiply(x, shown[0], out=flat)
        np.add(flat, shown[1], out=flat)
    else:
        flat[...] = x.astype(wide.numpy) * shown[0] + shown[1]


def _strided_batch_norm(out, input, weight, bias, running_mean, running_var, training, momentum, eps):
    """The same for an input whose memory is not in order: element by element, with broadcast statistics."""
    ndim, wide = input._mt_array.ndim, _wide(input.dtype)
    channels = input._mt_array.shape[1]
    x = input._mt_array.astype(wide.numpy, copy=False)
    if training:
        save_mean = aten.mean(input, _other_dims(ndim))
        save_invstd = _new((channels,), save_mean.dtype)
        count = input._mt_array.size // channels
        squares = np.square(x - save_mean._mt_array.reshape(1, -1, *[1] * (ndim - 2))).sum(axis=_other_dims(ndim))
        _remember(save_mean._mt_array, squares, count, save_mean, save_invstd, running_mean, running_var, momentum, eps)
        mean, invstd = save_mean, save_invstd
    else:
        save_mean, save_invstd = _new((0,), wide), _new((0,), wide)
        mean, invstd = running_mean, _new((channels,), wide)
        invstd._mt_array[...] = 1 / np.sqrt(running_var._mt_array + wide.numpy.type(eps))
    found = (x - _along_channels(mean, ndim)) * _along_channels(invstd, ndim)
    if weight is not None:
        found *= _along_channels(weight, ndim)
    if bias is not None:
        found += _along_channels(bias, ndim)
    out._mt_array[...] = found
    return out, save_mean, save_invstd


class NativeBatchNormBackward(Op):
    """Derivatives of batch_norm for those of input, weight and bias that are asked for."""

    schema = ("native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, "
              "Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, "
              "bool[3] output_mask) -> (Tensor, Tensor, Tensor)")
    grads_of = "grad_out input weight"

    def meta(grad_out, input, weight, running_mean, running_var, *_):
        constant("native_batch_norm_backward", "running_mean", running_mean)
        constant("native_batch_norm_backward", "running_var", running_var)

    @silent
    def body(grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask):
        for_input, for_weight, for_bias = output_mask
        n, c, size = _spans(input._mt_array.shape)
        kind = input.dtype if weight is None else weight.dtype
        grad_input = aten.empty_like(input, memory_format=IN_ORDER) if for_input else None
        grad_weight = _new((c,), kind) if for_weight else None
        grad_bias = _new((c,), kind) if for_bias else None
        dense = grad_out.is_contiguous() and input.is_contiguous()
        if dense and for_input:
            grad_input = aten.empty_like(input, memory_format=IN_ORDER)  # torch's dense kernel makes its own
        elif not dense:
            total = aten.sum(grad_out, _other_dims(input._mt_array.ndim))
        sums = _row_buffers(input, c, train) if dense and input._mt_array.ndim == 2 else None
        made = [None if t is None else t._mt_array for t in (grad_input, grad_weight, grad_bias)]
        given = (grad_out, input, weight, running_mean, running_var, save_mean, save_invstd)
        arrays = [None if t is None else compact(t._mt_array) for t in given]
        kernels.norm.batch_norm_backward(*made, *arrays, train, eps, n, c, size)
        if not dense and grad_bias is not None:
            grad_bias._mt_array[...] = total._mt_array
        del sums
        return grad_input, grad_weight, grad_bias

    def grads(grads, grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps):
        shape = input._mt_array.shape
        channels = (1, shape[1], *[1] * (len(shape) - 2))
        mean, rstd = (save_mean, save_invstd) if train else (running_mean, aten.rsqrt(aten.add(running_var, eps)))
        mean, rstd, weight, *of_parameters = [
            None if t is None else aten.view(t, channels) for t in (mean, rstd, weight, *grads[1:])]
        dims = _other_dims(len(shape))
        return second_derivative((grads[0], *of_parameters), grad_out, input, mean, rstd, weight, dims, dims, not train)


def _row_buffers(input, channels, train):
    """Where channels lie innermost, torch gathers sums row by row in memory of its own."""
    wide = _wide(input.dtype)
    invstd = _new((0,), wide)
    if not train:
        aten.resize_(invstd, (channels,))
    return invstd, aten.zeros((2, 1, channels), dtype=wide, layout=strided)


class InstanceNorm(Op):
    """batch_norm of each sample by itself."""

    schema = ("instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, "
              "bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor")

    def body(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
        if not use_input_stats and (running_mean is None or running_var is None):
            raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
        n, c, *rest = input._mt_array.shape
        repeated = [None if t is None else aten.repeat(t, (n,)) for t in (weight, bias, running_mean, running_var)]
        flat = aten.view(in_order(input), (1, n * c, *rest))
        out = aten.batch_norm(flat, *repeated, use_input_stats, momentum, eps, cudnn_enabled)
        if use_input_stats:
            for running, each in ((running_mean, repeated[2]), (running_var, repeated[3])):
                if running is not None:  # the mean of what the samples' own statistics became
                    aten.copy_(aten.alias(running), aten.mean(aten.view(each, (n, c)), (0,), False))
        return aten.view(out, tuple(input._mt_array.shape))
