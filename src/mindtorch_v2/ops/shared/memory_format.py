# cython: annotation_typing=False
"""Channels that lie last: torch's memory formats for images and volumes, and tensors brought into them."""

from __future__ import annotations

from functools import lru_cache
from math import prod

from ...core.device import channels_last, channels_last_3d, contiguous_format
from ...core.geometry import contiguous_strides
from ...core.tensor import is_in_order, offset_of, shape_of, strides_of, window_of
from ...dispatch.aten import aten
from ...opdef.rules import Spec


def suggested_format(t):
    """The memory format that a tensor's strides are like: torch's choice for results."""
    return _format_like(shape_of(t), strides_of(t))


@lru_cache  # a program has few geometries
def _format_like(shape, strides):
    if len(shape) not in (4, 5) or 0 in shape:
        return contiguous_format
    least = 0
    for dim in (1, *range(len(shape) - 1, 1, -1), 0):
        if strides[dim] < least or (dim == 0 and least == strides[1]):
            return contiguous_format
        least = strides[dim] * max(shape[dim], 1)
    return channels_last if len(shape) == 4 else channels_last_3d


def channels_lie_last(t) -> bool:
    """Whether a tensor fills its memory in a format with the channels innermost, and not in C order."""
    return not is_in_order(t) and lies_in(t, suggested_format(t))


def as_rows(t):
    """Memory whose channels lie last, as one row of channels for each pixel."""
    shape = shape_of(t)
    return window_of(t, (prod(shape) // shape[1], shape[1]), (shape[1], 1), offset_of(t))


def in_format(t, memory_format):
    """The tensor itself if it lies so, else a copy, which shows as a row."""
    return t if lies_in(t, memory_format) else aten.contiguous(t, memory_format=memory_format)


def lies_in(t, memory_format) -> bool:
    """Whether a tensor's memory is in this format."""
    return is_in_order(t) if memory_format is contiguous_format else t.is_contiguous(memory_format)


def strides_in(shape, memory_format):
    """The strides of a result in this format; None for those of C order."""
    return None if memory_format is contiguous_format else last_strides(shape)


def like_its_input(input):
    """A result of the input's shape and type, in the memory format that its strides are like."""
    shape = shape_of(input)
    memory_format = contiguous_format if is_in_order(input) else suggested_format(input)
    return Spec(shape, input.dtype, strides_in(shape, memory_format))


def last_strides(shape):
    """Strides with the channels innermost."""
    strides = contiguous_strides((shape[0], *shape[2:], shape[1]))
    return strides[0], strides[-1], *strides[1:-1]


def through_format(memory_format, kernel, out, x, *rest) -> None:
    """Run ``kernel(out, x, …)`` in a format; what lies otherwise is copied into it, and the result back."""
    x, into = in_format(x, memory_format), in_format(out, memory_format)
    kernel(into, x, *rest)
    if into is not out:
        aten.copy_(out, into)
