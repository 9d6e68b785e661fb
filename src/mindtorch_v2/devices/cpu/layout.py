# cython: annotation_typing=False
"""How arrays lie in memory: torch's order of dimensions for results, and compiled kernels on arrays of any layout."""

from __future__ import annotations

import numpy as np

from .array_facts import falls, is_compact


def laid_out(array, operands):
    """A result in torch's order of dimensions: where operands differ, the first that tells two apart decides."""
    order = order_of(array.shape, operands)
    if order is None:
        return array
    into = np.empty([array.shape[d] for d in order], array.dtype).transpose(np.argsort(order))
    if into.strides == array.strides:
        return array
    np.copyto(into, array)
    return into


def order_of(shape, operands):
    """The dimensions of a result from the outermost to the innermost in memory; None where they are in order."""
    if all([is_compact(array) or falls(array, shape) for array in operands]):
        return None
    steps = [broadcast_steps(array, shape) for array in operands]
    order = list(range(len(shape) - 1, -1, -1))  # innermost first
    for i in range(1, len(order)):
        at = i
        for before in range(i - 1, -1, -1):
            sign = compare_dims(order[before], order[at], steps, shape)
            if sign > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif sign < 0:
                break
    order.reverse()
    return order


def broadcast_steps(array, shape):
    lead = len(shape) - array.ndim
    return [0] * lead + [0 if n == 1 and shape[lead + i] != 1 else abs(step)
                         for i, (n, step) in enumerate(zip(array.shape, array.strides))]


def compare_dims(a, b, steps, shape):
    """Which of two dimensions lies further out: -1 the second, 1 the first, 0 if no operand tells."""
    for step in steps:
        if step[a] and step[b]:
            if step[a] != step[b]:
                return -1 if step[a] < step[b] else 1
            if shape[a] > shape[b]:
                return 1
    return 0


def strides_in_order(shape, order):
    """The strides of a tensor that fills its memory with its dimensions in an order, the outermost first."""
    strides, step = [0] * len(shape), 1
    for dim in reversed(order):
        strides[dim] = step
        step *= max(shape[dim], 1)
    return tuple(strides)


def stored(values: np.ndarray, out: np.ndarray | None) -> np.ndarray:
    """Values that were computed, or the result that was given, with these values cast into it."""
    if out is None:
        return values
    np.copyto(out, values, casting="unsafe")
    return out


def compact(array: np.ndarray) -> np.ndarray:
    """The array itself if its memory is in C order, else a copy that is."""
    if is_compact(array):
        return array
    ordered = np.empty(array.shape, array.dtype)
    transcribe(ordered, array)
    return ordered


def transcribe(out: np.ndarray, values: np.ndarray) -> None:
    """The values of an array of the same shape and type; where the order of memory differs, it is turned in blocks."""
    from . import pointwise  # which is loaded after this file

    pointwise.copy(out, values)


def empty_as(array: np.ndarray, dtype=None) -> np.ndarray:
    """Memory for a result that is read off one array element by element, in torch's order of dimensions."""
    dtype = array.dtype if dtype is None else dtype
    if not _repeats(array):
        return np.empty_like(array, dtype)
    order = order_of(array.shape, [array])
    if order is None:
        return np.empty(array.shape, dtype)
    return np.empty([array.shape[d] for d in order], dtype).transpose(np.argsort(order))


def empty_of(operands, dtype=None) -> np.ndarray:
    """Memory for a result that is worked out element by element, in torch's order of dimensions."""
    dtype, shape = operands[0].dtype if dtype is None else dtype, operands[0].shape
    if not all([array.shape == shape for array in operands]):
        shape = broadcast_shape(operands)
    order = order_of(shape, operands)
    if order is None:
        return np.empty(shape, dtype)
    return np.empty([shape[d] for d in order], dtype).transpose(np.argsort(order))


def broadcast_shape(operands):
    """The shape that arrays which fit together broadcast to."""
    sizes = [1] * max([array.ndim for array in operands])
    for array in operands:
        lead = len(sizes) - array.ndim
        for i, size in enumerate(array.shape):
            if size != 1:
                sizes[lead + i] = size
    return tuple(sizes)


def unary(loop, x: np.ndarray, out: np.ndarray | None, *params) -> np.ndarray:
    """Run ``loop(out, x, *params)``; a new result lies in memory as ``x`` does."""
    if out is None:
        out = empty_as(x)
    loop(out, x, *params)
    return out


def binary(loop, a: np.ndarray, b: np.ndarray, *params) -> np.ndarray:
    """Run ``loop(out, a, b, *params)`` on operands that broadcast."""
    out = empty_of((a, b))
    loop(out, a, b, *params)
    return out


def broadcast_into(kernel, out: np.ndarray, operands: list[np.ndarray], *params) -> None:
    """Run ``kernel(out, *operands, *params)`` into an array of any layout; operands take its shape."""
    operands = [compact(a if a.shape == out.shape else np.broadcast_to(a, out.shape)) for a in operands]
    if is_compact(out):
        kernel(out, *operands, *params)
    else:
        result = np.empty(out.shape, out.dtype)
        kernel(result, *operands, *params)
        out[...] = result


def _repeats(array: np.ndarray) -> bool:
    return any([step == 0 and size > 1 for step, size in zip(array.strides, array.shape)])
