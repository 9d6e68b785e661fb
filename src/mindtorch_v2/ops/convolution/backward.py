# cython: annotation_typing=False
"""Derivatives of convolutions, first and second, with the rows of torch's engines."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..create.factories import empty, zeros
from ..shared.memory_format import in_format, strides_in
from . import slow_backward
from .engines import (
    EMPTY,
    LIBRARY,
    VOLUME,
    as_plane,
    compute_input_grad,
    compute_weight_grad,
    engine_of,
    format_of,
    goes_back_over_stride,
    of_library,
)
from .sizes import Steps, output_shape, steps_of

_SCHEMA = ("SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, "
           "SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)")


class ConvolutionBackward(Op):
    """Derivatives of a convolution for those of input, weight and bias that are asked for."""

    schema = ("convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, "
              f"{_SCHEMA}")
    grads_of = "grad_output input weight"
    node = "ConvolutionBackwardBackward0"

    def meta(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
             output_mask):
        steps = steps_of(weight, stride, padding, dilation, transposed, output_padding, groups)
        memory_format = format_of(input, weight, engine_of(input, weight, steps))
        shapes = shape_of(input), shape_of(weight), (shape_of(grad_output)[1],)
        return tuple([Spec(shape, input.dtype, strides_in(shape, memory_format) if len(shape) > 3 else None)
                      if wanted else None for shape, wanted in zip(shapes, output_mask)])

    def body(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups,
             output_mask):
        steps = steps_of(weight, stride, padding, dilation, transposed, output_padding, groups)
        engine = engine_of(input, weight, steps)
        if engine == EMPTY:
            return _of_nothing(grad_output, input, weight, output_mask)
        memory_format, is_line = format_of(input, weight, engine), ndim_of(input) == 3
        if is_line:
            grad_output, input, weight = [aten.unsqueeze(t, 2) for t in (grad_output, input, weight)]
            steps = as_plane(steps)
        if engine == LIBRARY:
            gradients = _by_library(grad_output, input, weight, steps, output_mask, memory_format)
        elif steps.groups == 1 or engine == VOLUME:  # whose own code knows groups
            gradients = slow_backward.backward(engine, grad_output, in_format(input, memory_format), weight, steps,
                                               output_mask, memory_format)
        else:
            gradients = _group_by_group(engine, grad_output, input, weight, steps, output_mask, memory_format)
        if not is_line:
            return gradients
        of_input, of_weight, of_bias = gradients
        return _line(of_input), _line(of_weight), of_bias

    def grads(grads, grad_output, input, weight, stride, padding, dilation, transposed, output_padding, groups, needs):
        return aten._convolution_double_backward(*(*grads, None, None)[:3], grad_output, weight, input, stride, padding,
                                                 dilation, transposed, output_padding, groups, needs)


def _line(t):
    return None if t is None else aten.squeeze(t, 2)


def _of_nothing(grad_output, input, weight, wanted):
    return (aten.zeros_like(input) if wanted[0] else None, aten.zeros_like(weight) if wanted[1] else None,
            zeros((shape_of(grad_output)[1],), grad_output.dtype) if wanted[2] else None)


def _by_library(grad_output, input, weight, steps: Steps, wanted, memory_format):
    """oneDNN: one pass for the input, one for weight and bias."""
    grad = in_format(grad_output, memory_format)
    input, weight = in_format(input, memory_format), in_format(weight, memory_format)
    of_input = of_weight = of_bias = None
    if wanted[0]:
        if memory_format is contiguous_format:
            empty((0,), input.dtype)
        of_input = of_library(shape_of(input), input.dtype, memory_format,
                              not steps.transposed and goes_back_over_stride(steps) and shape_of(input)[1] > 1)
        compute_input_grad(of_input, grad, weight, steps)
    if wanted[1] or wanted[2]:
        if wanted[2]:
            of_bias = of_library((shape_of(grad)[1],), grad.dtype)
            run.channel_sums(of_bias, grad)
        of_weight = of_library(shape_of(weight), weight.dtype, memory_format)
        compute_weight_grad(of_weight, grad, input, steps)
    return of_input, of_weight if wanted[1] else None, of_bias


def _group_by_group(engine, grad_output, input, weight, steps: Steps, wanted, memory_format):
    """Each group by itself, and the results put together."""
    one, parts = steps._replace(groups=1), []
    for group in range(steps.groups):
        g, x, w = [aten.narrow(t, at, group * (shape_of(t)[at] // steps.groups), shape_of(t)[at] // steps.groups)
                   for t, at in ((grad_output, 1), (input, 1), (weight, 0))]
        g, x = in_format(g, memory_format), in_format(x, memory_format)
        parts.append(slow_backward.backward(engine, g, x, w, one, wanted, memory_format))
    return tuple([aten.cat([part[i] for part in parts], at) if wanted[i] else None for i, at in enumerate((1, 0, 0))])


class ConvolutionDoubleBackward(Op):
    """What flows back through convolution_backward: a convolution is linear in its input and in its weight."""

    schema = ("_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor weight, "
              f"Tensor self, {_SCHEMA}")

    def body(ggI, ggW, ggb, gO, weight, self, stride, padding, dilation, transposed, output_padding, groups,
             output_mask):
        steps = steps_of(weight, stride, padding, dilation, transposed, output_padding, groups)
        has_elements = numel_of(gO) > 0
        of_grad = of_input = of_weight = None
        if output_mask[0]:
            of_grad = _through(ggI, ggW, ggb, gO, weight, self, steps)
        if output_mask[2] and ggI is not None and has_elements:
            of_weight = _for_weight(gO, ggI, weight, steps)
        if output_mask[1] and ggW is not None and has_elements:
            of_input = _for_input(gO, ggW, self, steps)
        return of_grad, of_input, of_weight


def _through(ggI, ggW, ggb, gO, weight, self, steps: Steps):
    """The convolution, in the directions that its gradients are asked along."""
    total = None
    for x, w in ((ggI, weight), (self, ggW)):
        if x is not None and w is not None:
            part = aten.convolution(x, w, None, *steps)
            total = part if total is None else aten.add(total, part)
    if ggb is not None:
        part = aten.expand(aten.view(ggb, (1, -1, *[1] * (ndim_of(gO) - 2))), shape_of(gO))
        total = part if total is None else aten.add(total, part)
    return total


def _for_weight(gO, ggI, weight, steps: Steps):
    """The gradient of a weight is a convolution of the input by the output's gradient, items taken for channels."""
    if steps.transposed or steps.groups > 1:
        return aten.convolution_backward(gO, ggI, weight, (0,), *steps, (False, True, False))[1]
    kernel = aten.transpose(gO, 0, 1)
    weight_grad = aten.convolution(aten.transpose(ggI, 0, 1), kernel, None, steps.dilation, steps.padding, steps.stride,
                             False, steps.output_padding, 1)
    return aten.transpose(_cut_to(weight_grad, weight), 0, 1)


def _cut_to(t, like):
    """The first positions of a result that has room for more than there are."""
    for dim, size in enumerate(shape_of(like)[2:], 2):
        if shape_of(t)[dim] > size:
            t = aten.narrow(t, dim, 0, size)
    return t


def _for_input(gO, ggW, self, steps: Steps):
    """The gradient of an input is the convolution the other way round."""
    if steps.transposed:
        input_grad = aten.convolution(gO, ggW, None, steps.stride, steps.padding, steps.dilation, False,
                                      steps.output_padding, steps.groups)
        return _cut_to(input_grad, self)
    plain = steps._replace(transposed=True, output_padding=(0,) * len(steps.stride))
    least = output_shape(shape_of(gO), shape_of(ggW), plain)
    missing = tuple([size - n for size, n in zip(shape_of(self)[2:], least[2:])])
    return aten.convolution(gO, ggW, None, *plain._replace(output_padding=missing))
