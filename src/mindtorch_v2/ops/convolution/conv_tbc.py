"""Convolution of sequences that lie as time, batch, channel: a product of matrices for each place of the kernel."""

from __future__ import annotations

from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.layout import IN_ORDER


def _tbc_check(self, weight, bias, pad) -> None:
    if ndim_of(self) != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if ndim_of(weight) != 3:
        raise RuntimeError("Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.")
    if ndim_of(bias) != 1:
        raise RuntimeError("Bias must be 1-D")
    width, channels, outs = shape_of(weight)
    if shape_of(self)[2] != channels:
        raise RuntimeError("Input dim 2 (input channels) is not == dim 1 in the weight tensor")
    if shape_of(bias)[0] != outs:
        raise RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")
    steps = shape_of(self)[0] - width + 1 + 2 * pad
    if steps < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {steps}: "
                           f"{[steps, shape_of(self)[1], outs]}")


def _overlaps(inputs: int, outputs: int, width: int, pad: int):
    """For each place of the kernel: where inputs and outputs begin that meet there, and how many there are."""
    for place in range(width):
        into = max(0, pad - place)
        count = min(inputs + pad - place, outputs) - into
        if count > 0:
            yield place, max(0, place - pad), into, count


def _rows(t, begin: int, count: int):
    """Some steps of all sequences as the rows of one matrix."""
    _, batch, channels = shape_of(t)
    return aten.view(aten.narrow(t, 0, begin, count), (count * batch, channels))


class ConvTbc(Op):
    """Convolution over time."""

    schema = "conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor"

    def meta(self, weight, bias, pad):
        _tbc_check(self, weight, bias, pad)

    def body(self, weight, bias, pad):
        (inputs, batch, _), (width, _, outs) = shape_of(self), shape_of(weight)
        steps = inputs - width + 1 + 2 * pad
        out = aten.empty((steps, batch, outs), dtype=self.dtype)
        aten.copy_(out, aten.expand(bias, (steps, batch, outs)))
        for place, begin, into, count in _overlaps(inputs, steps, width, pad):
            matrix, rows = aten.select(weight, 0, place), _rows(self, begin, count)
            aten.addmm_(_rows(out, into, count), rows, matrix)
        return out

    def grads(grad, self, weight, bias, pad):
        return aten.conv_tbc_backward(grad, self, weight, bias, pad)


class ConvTbcBackward(Op):
    """Derivative of conv_tbc."""

    schema = ("conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> "
              "(Tensor, Tensor, Tensor)")

    def body(self, input, weight, bias, pad):
        overlaps = list(_overlaps(shape_of(input)[0], shape_of(self)[0], shape_of(weight)[0], pad))
        grad_input = aten.zeros_like(input, memory_format=IN_ORDER)
        for place, begin, into, count in overlaps:
            rows = _rows(self, into, count)
            aten.addmm_(_rows(grad_input, begin, count), rows, aten.t(aten.select(weight, 0, place)))
        grad_weight = aten.zeros_like(weight, memory_format=IN_ORDER)
        for place, begin, into, count in overlaps:
            matrix, rows = aten.select(grad_weight, 0, place), _rows(self, into, count)
            aten.addmm_(matrix, aten.t(_rows(input, begin, count)), rows)
        grad_bias = aten.zeros_like(bias, memory_format=IN_ORDER)
        aten.copy_(grad_bias, aten.sum(aten.sum(self, (0,)), (0,)))
        return grad_input, grad_weight, grad_bias
