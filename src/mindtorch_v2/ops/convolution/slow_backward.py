# cython: annotation_typing=False
"""What torch's own engines allocate and show in the backward of a convolution. The work is one kernel's."""

from __future__ import annotations

from math import prod

from ...core.device import contiguous_format
from ...core.tensor import ndim_of, shape_of
from ...dispatch.aten import aten
from ..create.factories import empty
from ..shared.memory_format import in_format
from .engines import DILATED, SLOW, VOLUME, compute_input_grad, compute_weight_grad
from .sizes import Steps
from .slow import columns_of, rows_of, sees_one_element

_IMAGE_DIMS = 4


def backward(engine: int, grad_output, input, weight, steps: Steps, wanted, memory_format):
    """Derivatives of a convolution for those of input, weight and bias that are wanted."""
    if engine == SLOW:
        return aten._slow_conv2d_backward(grad_output, input, weight, shape_of(weight)[2:], steps.stride, steps.padding,
                                          wanted)
    of = _of_volumes if engine == VOLUME else _dilated if engine == DILATED else _transposed
    return of(in_format(grad_output, memory_format), input, weight, steps, wanted, memory_format)


def _unsized(dtype, wanted) -> list:
    """Results that grow to their size."""
    return [empty((0,), dtype) if asked else None for asked in wanted]


def _all_but_channels(grad) -> tuple[int, ...]:
    return (0, *range(2, ndim_of(grad)))


def _item_by_item(*tensors) -> None:
    for item in range(shape_of(tensors[0])[0]):
        for t in tensors:
            aten.select(t, 0, item)


def _of_volumes(grad, input, weight, steps: Steps, wanted, memory_format):
    """The columns of all items at once, first those of the gradient, then those of the input."""
    of_input, of_weight, of_bias = _unsized(input.dtype, wanted)
    positions = prod(shape_of(grad)[2:])
    if of_input is not None:
        matrix = rows_of(weight, contiguous_format)
        aten.resize_as_(of_input, input)
        columns = empty((shape_of(input)[0], shape_of(input)[1] * prod(shape_of(weight)[2:]), positions), input.dtype)
        compute_input_grad(of_input, grad, weight, steps)
        del columns, matrix
    if of_bias is not None:
        aten.sum(grad, _all_but_channels(grad), out=of_bias)
    if of_weight is not None:
        aten.zero_(aten.resize_(of_weight, shape_of(weight)))
        matrix = rows_of(of_weight, contiguous_format)
        columns = columns_of(input, weight, positions, steps, contiguous_format)
        compute_weight_grad(of_weight, grad, input, steps)
        del columns, matrix
    return of_input, of_weight, of_bias


def _dilated(grad, input, weight, steps: Steps, wanted, memory_format):
    """The columns of one item after the other; the bias is summed on the way."""
    layout = memory_format if ndim_of(input) == _IMAGE_DIMS else None
    of_input = empty(shape_of(input), input.dtype, layout) if wanted[0] else None
    of_weight = empty(shape_of(weight), weight.dtype, layout) if wanted[1] else None
    of_bias = empty((shape_of(grad)[1],), grad.dtype) if wanted[2] else None
    columns = empty((0,), input.dtype)
    if wanted[0] or wanted[1]:
        aten.resize_(columns, (prod(shape_of(weight)[1:]), prod(shape_of(grad)[2:])))
    for result in (of_weight, of_bias):
        if result is not None:
            aten.zero_(result)
    for item in range(shape_of(input)[0]):
        aten.select(input, 0, item)
        of_item = aten.select(grad, 0, item)
        if of_input is not None:
            aten.select(of_input, 0, item)
        if of_bias is not None:
            aten.add_(of_bias, aten.sum(of_item, tuple(range(1, ndim_of(of_item)))))
    if of_input is not None:
        compute_input_grad(of_input, grad, weight, steps)
    if of_weight is not None:
        compute_weight_grad(of_weight, grad, input, steps)
    return of_input, of_weight, of_bias


def _transposed(grad, input, weight, steps: Steps, wanted, memory_format):
    """The columns of one item after the other, first for the input, then for weight and bias."""
    of_input, of_weight, of_bias = _unsized(input.dtype, wanted)
    is_image = ndim_of(input) == _IMAGE_DIMS
    layout = {"memory_format": memory_format} if is_image else {}
    size = None if sees_one_element(weight, steps) else (prod(shape_of(weight)[1:]), prod(shape_of(input)[2:]))
    if of_input is not None:
        aten.zero_(aten.resize_(of_input, shape_of(input), **layout))
        columns = _room(size, input.dtype, is_image)
        _item_by_item(of_input, grad)
        compute_input_grad(of_input, grad, weight, steps)
        del columns
    if of_bias is not None and is_image:
        aten.sum(grad, _all_but_channels(grad), out=of_bias)
    if of_weight is not None:
        aten.zero_(aten.resize_(of_weight, shape_of(weight), **layout))
    if of_bias is not None and not is_image:
        aten.zero_(aten.resize_(of_bias, (shape_of(grad)[1],)))
    if of_weight is not None or (of_bias is not None and not is_image):
        columns = _room(size, input.dtype, is_image)
        _item_by_item(grad, *([] if of_weight is None else [input]))
        if of_weight is not None:
            compute_weight_grad(of_weight, grad, input, steps)
        if of_bias is not None and not is_image:
            aten.sum(grad, _all_but_channels(grad), out=of_bias)
        del columns
    return of_input, of_weight, of_bias


def _room(size: tuple[int, int] | None, dtype, is_image: bool):
    """Memory for the columns of an item, if any are needed."""
    if not is_image:
        return size and empty(size, dtype)
    room = empty((0,), dtype)
    return aten.resize_(room, size) if size else room
