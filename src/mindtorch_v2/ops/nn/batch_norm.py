# cython: annotation_typing=False
"""Normalisation of each channel by the batch, or by running statistics."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import strided
from ...core.tensor import is_in_order, ndim_of, numel_of, shape_of, strides_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..create.factories import empty
from ..shared.layout import IN_ORDER, blank_like, in_order
from ..shared.memory_format import as_rows, channels_lie_last, like_its_input, suggested_format
from ..shared.not_differentiable import constant
from .double_backward import second_derivative
from .normalization import parameter_type

_SCHEMA = "Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, "


def _other_dims(ndim):
    return tuple([i for i in range(ndim) if i != 1])


def _along_channels(t, ndim):
    """One number per channel, seen with the dimensions of the input."""
    tail = ndim - 2
    return aten.as_strided(t, (1, shape_of(t)[0], *[1] * tail), (0, strides_of(t)[0], *[0] * tail))


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
        if not numel_of(input):
            return _of_nothing(input, weight, bias)
        channels = shape_of(input)[1]
        given = {"running_mean": running_mean, "running_var": running_var, "weight": weight, "bias": bias}
        for name, t in given.items():
            if t is not None and numel_of(t) != channels:
                raise RuntimeError(f"{name} should contain {channels} elements not {numel_of(t)}")
            if t is None and not training and name.startswith("running"):
                raise RuntimeError(f"{name} must be defined in evaluation mode")
        reserve = empty((0,), dtypes.uint8)
        results = aten.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
        return (*results, reserve, 0)


def _of_nothing(input, weight, bias):
    """An input without elements, which stays connected to the first weight and bias in the graph."""
    reserve, channels = empty((0,), dtypes.uint8), shape_of(input)[1:2]
    kind = dtypes.float32 if input.dtype.itemsize == 2 else dtypes.float64  # what torch adds up in
    statistics = empty(channels, kind), empty(channels, kind)
    out = aten.clone(input)
    if weight is not None:
        out = aten.mul(out, aten.select(weight, 0, 0))
    if bias is not None:
        out = aten.add(out, aten.select(bias, 0, 0))
    return out, *statistics, reserve, 0


class NativeBatchNorm(Op):
    """batch_norm, with the mean and the inverse standard deviation it used while training."""

    schema = "native_batch_norm(" + _SCHEMA + "float momentum, float eps) -> (Tensor, Tensor, Tensor)"
    variants = "out(out,save_mean,save_invstd)"
    overlap = "shares_inputs"
    grads_of = "input weight bias"
    no_grad_for = "result1 result2"

    def meta(input, weight, bias, running_mean, running_var, training, momentum, eps, *outs):
        constant("native_batch_norm", "running_mean", running_mean)
        constant("native_batch_norm", "running_var", running_var)

        if (running_mean is None) != (running_var is None):
            raise ValueError("running_mean and running_var must either both be None or neither be None")
        if running_mean is None and not training:
            raise RuntimeError("running_mean must be defined in evaluation mode")
        if input.dtype.category != dtypes.FLOATING:
            raise not_implemented("batch_norm", input.dtype)
        statistic = Spec(_kept(input, training), parameter_type(input, weight, bias, running_mean, running_var))
        return like_its_input(input), statistic, statistic

    def body(input, weight, bias, running_mean, running_var, training, momentum, eps):
        dense = is_in_order(input)
        out = aten.empty_like(input, memory_format=IN_ORDER if dense else suggested_format(input))
        rows = not dense and channels_lie_last(input)
        if not (dense or rows):
            return _strided_batch_norm(out, input, weight, bias, running_mean, running_var, training, momentum, eps)
        kind, kept = parameter_type(input, weight, bias, running_mean, running_var), _kept(input, training)
        outs = out, empty(kept, kind), empty(kept, kind)
        shown = (as_rows(out), *outs[1:], as_rows(input)) if rows else (*outs, input)
        _batch_norm_into(*shown, weight, bias, running_mean, running_var, training, momentum, eps)
        return outs

    def out(input, weight, bias, running_mean, running_var, training, momentum, eps, out, save_mean, save_invstd):
        given = input, weight, bias, running_mean, running_var, training, momentum, eps
        outs = out, save_mean, save_invstd
        for result, spec in zip(outs, NativeBatchNorm.meta(*given)):
            if result.dtype is not spec.dtype:
                raise RuntimeError(f"expected scalar type {spec.dtype.short} but found {result.dtype.short}")
            resize_output(result, spec.shape)
        if all(map(is_in_order, (input, *outs))):
            _batch_norm_into(*outs, *given)
        else:
            for result, value in zip(outs, _strided_batch_norm(blank_like(out), *given)):
                run.copy(result, value)
        return outs

    def grads(grads, input, weight, running_mean, running_var, training, eps, result1, result2, needs):
        return aten.native_batch_norm_backward(grads[0], input, weight, running_mean, running_var, result1, result2,
                                               training, eps, needs)


def _batch_norm_into(out, save_mean, save_invstd, input, weight, bias, running_mean, running_var, training, momentum,
                     eps) -> None:
    if training:
        statistics(input, save_mean, save_invstd, running_mean, running_var, momentum, eps)
    wide, channels = _wide(input.dtype), (shape_of(input)[1],)
    alpha, beta = empty(channels, wide), empty(channels, wide)
    if training:
        run.normalise_by_batch(out, alpha, beta, input, save_mean, save_invstd, weight, bias)
    else:
        run.normalise_by_running(out, alpha, beta, input, running_mean, running_var, weight, bias, eps)


def _kept(input, training: bool) -> tuple[int, ...]:
    """The shape of the statistics that are kept: of nothing where they are not the batch's."""
    return (shape_of(input)[1],) if training else (0,)


HALF_BYTES = 2  # the size of float16 and bfloat16


def _wide(dtype):
    """The type that is computed in."""
    return dtypes.float32 if dtype.itemsize == HALF_BYTES else dtype


def statistics(input, save_mean, save_invstd, running_mean, running_var, momentum, eps) -> None:
    """This batch's statistics, which also move the running ones, in memory as torch asks for it."""
    if not input.numel():
        raise RuntimeError("input tensor must have at least one element, but got input_sizes = "
                           f"{list(shape_of(input))}")
    wide, channels = _wide(input.dtype), shape_of(save_mean)
    mean, squares = empty(channels, wide), empty(channels, wide)
    sums = None
    if ndim_of(input) == 2:  # where channels lie innermost, sums are gathered row by row, twice
        sums = aten.zero_(aten.zeros((1, *channels), dtype=wide, layout=strided))
    run.batch_statistics(save_mean, save_invstd, running_mean, running_var, mean, squares, sums, input, momentum, eps)


def _strided_batch_norm(out, input, weight, bias, running_mean, running_var, training, momentum, eps):
    """The same for an input whose memory is not in order: element by element, with broadcast statistics."""
    ndim, wide = ndim_of(input), _wide(input.dtype)
    channels = (shape_of(input)[1],)
    if training:
        save_mean = aten.mean(input, _other_dims(ndim))
        save_invstd = empty(channels, save_mean.dtype)
        run.strided_batch_statistics(save_mean, save_invstd, running_mean, running_var, input, momentum, eps)
        mean, invstd = save_mean, save_invstd
    else:
        save_mean, save_invstd = empty((0,), wide), empty((0,), wide)
        mean, invstd = running_mean, empty(channels, wide)
        run.inverse_std(invstd, running_var, eps)
    shown = [None if t is None else _along_channels(t, ndim) for t in (mean, invstd, weight, bias)]
    run.normalise_strided(out, input, *shown)
    return out, save_mean, save_invstd


class NativeBatchNormBackward(Op):
    """Derivatives of batch_norm for those of input, weight and bias that are asked for."""

    schema = ("native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, "
              "Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, "
              "bool[3] output_mask) -> (Tensor, Tensor, Tensor)")
    grads_of = "grad_out input weight"

    def meta(grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask):
        constant("native_batch_norm_backward", "running_mean", running_mean)
        constant("native_batch_norm_backward", "running_var", running_var)
        by_channel = Spec((shape_of(input)[1],), input.dtype if weight is None else weight.dtype)
        specs = like_its_input(input), by_channel, by_channel
        return tuple([spec if wanted else None for spec, wanted in zip(specs, output_mask)])

    def body(grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask):
        for_input, for_weight, for_bias = output_mask
        channels = shape_of(input)[1]
        kind = input.dtype if weight is None else weight.dtype
        dense = is_in_order(grad_out) and is_in_order(input)
        memory_format = IN_ORDER if dense else suggested_format(input)
        grad_input = aten.empty_like(input, memory_format=memory_format) if for_input else None
        grad_weight = empty((channels,), kind) if for_weight else None
        grad_bias = empty((channels,), kind) if for_bias else None
        rows = not dense and channels_lie_last(input) and channels_lie_last(grad_out)
        if (dense or rows) and for_input:
            grad_input = aten.empty_like(input, memory_format=memory_format)  # torch's dense kernel makes its own
        total = None if dense or rows else aten.sum(grad_out, _other_dims(ndim_of(input)))
        sums = _row_buffers(input, channels, train) if rows or dense and ndim_of(input) == 2 else None
        shown = grad_input, grad_out, input
        if rows:
            shown = [None if t is None else as_rows(t) for t in shown]
        run.batch_norm_grads(shown[0], grad_weight, grad_bias, total, *shown[1:], weight, running_mean, running_var,
                             save_mean, save_invstd, train, eps)
        del sums
        return grad_input, grad_weight, grad_bias

    def grads(grads, grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps):
        shape = shape_of(input)
        channels = (1, shape[1], *[1] * (len(shape) - 2))
        mean, rstd = (save_mean, save_invstd) if train else (running_mean, aten.rsqrt(aten.add(running_var, eps)))
        mean, rstd, weight, *of_parameters = [
            None if t is None else aten.view(t, channels) for t in (mean, rstd, weight, *grads[1:])]
        dims = _other_dims(len(shape))
        return second_derivative((grads[0], *of_parameters), grad_out, input, mean, rstd, weight, dims, dims, not train)


def _row_buffers(input, channels, train):
    """Where channels lie innermost, torch gathers sums row by row in memory of its own."""
    wide = _wide(input.dtype)
    invstd = empty((0,), wide)
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
        n, c, *rest = shape_of(input)
        repeated = [None if t is None else aten.repeat(t, (n,)) for t in (weight, bias, running_mean, running_var)]
        flat = aten.view(in_order(input), (1, n * c, *rest))
        out = aten.batch_norm(flat, *repeated, use_input_stats, momentum, eps, cudnn_enabled)
        if use_input_stats:
            for running, each in ((running_mean, repeated[2]), (running_var, repeated[3])):
                if running is not None:  # the mean of what the samples' own statistics became
                    aten.copy_(aten.alias(running), aten.mean(aten.view(each, (n, c)), (0,), False))
        return aten.view(out, shape_of(input))
