# cython: annotation_typing=False
"""Torch's own engines for convolutions, as ops: what they allocate and the rows they show. The work is one kernel's."""

from __future__ import annotations

from math import prod

from ...core.device import contiguous_format
from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from ..create.factories import empty
from ..shared.memory_format import in_format, strides_in
from .columns import check_counts
from .engines import (
    SLOW,
    compute,
    compute_input_grad,
    compute_weight_grad,
    format_of,
)
from .sizes import Steps, output_shape

_PART = "part of convolution"
_BELOW = {"internal": _PART, "below": "convolution has the derivative"}


def _plain_steps(stride, padding, dilation=None) -> Steps:
    none = (0,) * len(stride)
    return Steps(stride, padding, dilation or (1,) * len(stride), False, none, 1)


def rows_of(weight, memory_format):
    """Weights as a matrix, whose columns follow the weight's own order."""
    shape = shape_of(weight)
    size = shape[0], prod(shape[1:])
    if memory_format is contiguous_format:
        return aten.view(weight, size)
    return aten.as_strided(weight, size, (size[1], 1))


def sees_one_element(weight, steps: Steps) -> bool:
    """Whether each position of the result is made of one of the input."""
    return set(shape_of(weight)[2:]) == {1} and set(steps.stride) == {1} and set(steps.padding) == {0}


def columns_of(input, weight, positions: int, steps: Steps, memory_format):
    """Room for what the kernel sees; the input itself where it sees one element at each position."""
    shape = shape_of(input)
    if sees_one_element(weight, steps):
        if memory_format is contiguous_format:
            return aten.detach(aten.view(input, (*shape[:2], prod(shape[2:]))))
        sizes, strides = (shape[0], prod(shape[2:]), shape[1]), (prod(shape[1:]), shape[1], 1)
        return aten.detach(aten.as_strided(input, sizes, strides))
    rows = shape[1] * prod(shape_of(weight)[2:])
    order = (rows, positions) if memory_format is contiguous_format else (positions, rows)
    return empty((shape[0], *order), input.dtype)


def _along_channels(bias, ndim: int):
    return aten.reshape(bias, (-1, *[1] * (ndim - 2)))


def _forward(input, weight, bias, steps: Steps):
    """The columns of all items, and the bias copied to where the products are added."""
    memory_format = format_of(input, weight, SLOW)
    shape = output_shape(shape_of(input), shape_of(weight), steps)
    out = empty((0,), input.dtype)
    matrix = rows_of(in_format(weight, memory_format), memory_format)
    columns = columns_of(input, weight, prod(shape[2:]), steps, memory_format)
    aten.resize_(out, shape, memory_format=memory_format if len(shape) == 4 else None)
    if bias is not None:
        aten.copy_(out, _along_channels(bias, len(shape)))
    compute(out, input, weight, bias, steps)
    del matrix, columns
    return out


def _spec(input, weight, steps: Steps) -> Spec:
    shape = output_shape(shape_of(input), shape_of(weight), steps)
    return Spec(shape, input.dtype, strides_in(shape, format_of(input, weight, SLOW)))


def _dilated(self, weight, kernel_size, bias, stride, padding, dilation):
    """The columns of one item after the other."""
    steps, memory_format = _plain_steps(stride, padding, dilation), format_of(self, weight, SLOW)
    shape = output_shape(shape_of(self), shape_of(weight), steps)
    weight = in_format(weight, memory_format)
    out = empty(shape, self.dtype, memory_format if len(shape) == 4 else None)
    columns = empty((0,), self.dtype)
    aten.resize_(columns, (prod(shape_of(weight)[1:]), prod(shape[2:])))
    if bias is None:
        aten.zero_(out)
    else:
        aten.copy_(out, _along_channels(bias, len(shape)))
    for item in range(shape[0]):
        for t in (self, out):
            aten.select(t, 0, item)
    compute(out, self, weight, bias, steps)
    return out


def _transposed(self, weight, kernel_size, bias, stride, padding, output_padding, dilation):
    """The columns of all items, scattered one item after the other."""
    steps, memory_format = Steps(stride, padding, dilation, True, output_padding, 1), format_of(self, weight, SLOW)
    shape = output_shape(shape_of(self), shape_of(weight), steps)
    weight = in_format(weight, memory_format)
    out = allocate(Spec(shape, self.dtype, strides_in(shape, memory_format)))
    columns = empty((0,), self.dtype)
    aten.resize_(columns, (shape[0], prod(shape_of(weight)[1:]), prod(shape_of(self)[2:])))
    aten.zero_(columns)
    for item in range(shape[0]):
        for t in (self, out, columns):
            aten.select(t, 0, item)
    compute(out, self, weight, None, steps)
    if bias is not None:
        aten.add_(out, _along_channels(bias, len(shape)))
    return out


def _check_pairs(**given) -> None:
    for name, values in given.items():
        if len(values) != 2:
            raise RuntimeError(f"2D {name} expected")


def _check_lengths(count: int, given: dict) -> None:
    for words, values in given.items():
        if len(values) != count:
            raise RuntimeError(f"{words} length should be {count}, but got {len(values)}")


def _declare(count: int, whole: str, inner: str) -> None:
    """The engines of images (2) or volumes (3)."""
    numbers, ones, zeros = f"SymInt[{count}]", f"[{', '.join(['1'] * count)}]", f"[{', '.join(['0'] * count)}]"
    head = f"Tensor self, Tensor weight, {numbers} kernel_size"
    steps = f"Tensor? bias=None, {numbers} stride={ones}, {numbers} padding={zeros}"

    def body(self, weight, kernel_size, bias, stride, padding):
        return getattr(aten, inner)(self, weight, kernel_size, bias, stride, padding)

    def forward(self, weight, kernel_size, bias, stride, padding):
        groups = shape_of(self)[1] // shape_of(weight)[1]  # which the engine of volumes alone knows
        return _forward(self, weight, bias, _plain_steps(stride, padding)._replace(groups=groups))

    def forward_rule(self, weight, kernel_size, bias, stride, padding):
        if count == 2:
            _check_pairs(kernel_size=kernel_size, stride=stride, padding=padding)
        else:
            check_counts(count, kernel_size=kernel_size, padding=padding, stride=stride)
        return _spec(self, weight, _plain_steps(stride, padding))

    def dilated_rule(self, weight, kernel_size, bias, stride, padding, dilation):
        _check_lengths(count, {"kernel sizes": kernel_size, "strides": stride, "dilations": dilation, "pads": padding})
        return _spec(self, weight, _plain_steps(stride, padding, dilation))

    def transposed_rule(self, weight, kernel_size, bias, stride, padding, output_padding, dilation):
        check_counts(count, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)
        check_counts(count, stride=output_padding)  # which torch calls so, too
        return _spec(self, weight, Steps(stride, padding, dilation, True, output_padding, 1))

    declare(f"{whole}({head}, {steps}) -> Tensor", "A convolution by torch's own code.", body=body, internal=_PART)
    declare(f"{inner}({head}, Tensor? bias, {numbers} stride, {numbers} padding) -> Tensor", "What it computes.",
            meta=forward_rule, body=forward, **_BELOW)
    declare(f"slow_conv_dilated{count}d({head}, {steps}, {numbers} dilation={ones}) -> Tensor",
            "A convolution whose kernel has gaps.", body=_dilated, meta=dilated_rule, **_BELOW)
    declare(f"slow_conv_transpose{count}d({head}, {steps}, {numbers} output_padding={zeros}, {numbers} "
            f"dilation={ones}) -> Tensor", "A transposed convolution.", body=_transposed, meta=transposed_rule,
            **_BELOW)


_declare(2, "thnn_conv2d", "_slow_conv2d_forward")
_declare(3, "slow_conv3d", "slow_conv3d_forward")


class SlowBackward(Op):
    """Derivatives of thnn_conv2d: results that grow to their size, and columns for all items."""

    schema = ("_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, "
              "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask) -> "
              "(Tensor grad_input, Tensor grad_weight, Tensor grad_bias)")
    internal = _PART
    below = "convolution has the derivative"

    def meta(grad_output, self, weight, kernel_size, stride, padding, output_mask):
        memory_format = format_of(self, weight, SLOW)
        shapes = shape_of(self), shape_of(weight), (shape_of(grad_output)[1],)
        return tuple([Spec(shape, self.dtype, strides_in(shape, memory_format) if len(shape) > 1 else None)
                      if wanted else None for shape, wanted in zip(shapes, output_mask)])

    def body(grad_output, self, weight, kernel_size, stride, padding, output_mask):
        steps, memory_format = _plain_steps(stride, padding), format_of(self, weight, SLOW)
        of_input, of_weight, of_bias = [empty((0,), self.dtype) if asked else None for asked in output_mask]
        if of_input is not None:
            matrix = rows_of(in_format(weight, memory_format), memory_format)
            grad = in_format(grad_output, memory_format)
            aten.zero_(aten.resize_as_(of_input, self, memory_format=memory_format))
            compute_input_grad(of_input, grad, weight, steps)
            del grad, matrix
        if of_bias is not None:
            aten.sum(grad_output, (0, *range(2, ndim_of(grad_output))), out=of_bias)
        if of_weight is not None:
            aten.zero_(aten.resize_(of_weight, shape_of(weight), memory_format=memory_format))
            matrix = rows_of(of_weight, memory_format)
            grad = in_format(grad_output, memory_format)
            columns = columns_of(self, weight, prod(shape_of(grad)[2:]), steps, memory_format)
            compute_weight_grad(of_weight, grad, self, steps)
            del columns, matrix, grad
        return of_input, of_weight, of_bias
