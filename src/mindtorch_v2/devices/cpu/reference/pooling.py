"""Largest elements and means of windows over the last one to three dimensions; all dimensions before are planes.

Sizes come from the arrays. Kernel, stride, padding and dilation are tuples with a number for each dimension of the
window; where there is none, `rank` says how many dimensions that are. Positions count within a plane.
"""
from __future__ import annotations

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray
Numbers = tuple[int, ...]  # one for each dimension of the window
Taps = list[tuple[Array, Array]]  # for each dimension: (output, tap) -> place in the input, and whether it is there

TAKES_LAST = False  # whether images of floats may lie with their channels last
AXES = 3
WIDEST = 2**24  # the largest kernel, stride, padding and dilation


def _three(numbers: Numbers, missing: int) -> Numbers:
    return (missing,) * (AXES - len(numbers)) + tuple(numbers)


def _planes(a: Array, rank: int) -> Array:
    """(planes, d, h, w); dimensions that are missing have size one."""
    if not 1 <= rank <= AXES or a.ndim < rank:
        raise ValueError(f"pooling over {rank} dimensions does not fit {a.shape}")
    return a.reshape(int(np.prod(a.shape[:a.ndim - rank])), *_three(a.shape[a.ndim - rank:], 1))


def _pair(x: Array, out: Array, rank: int) -> tuple[Array, Array]:
    if x.ndim != out.ndim or x.shape[:x.ndim - rank] != out.shape[:x.ndim - rank]:
        raise ValueError(f"pooling over {rank} dimensions: {x.shape} and {out.shape} do not fit")
    return _planes(x, rank), _planes(out, rank)


def _sliding(x: Array, out: Array, kernel: Numbers, stride: Numbers, padding: Numbers, dilation: Numbers) -> Taps:
    for numbers, least in ((kernel, 1), (stride, 1), (padding, 0), (dilation, 1)):
        if len(numbers) != len(kernel) or not all(least <= n <= WIDEST for n in numbers):
            raise ValueError(f"pooling: {len(kernel)} numbers from {least} to {WIDEST} wanted, got {numbers}")
    taps = []
    for axis, (k, s, p, d) in enumerate(zip(*map(_three, (kernel, stride, padding, dilation), (1, 1, 0, 1)))):
        at = np.arange(out.shape[1 + axis])[:, None] * s - p + np.arange(k) * d
        taps.append((at, (at >= 0) & (at < x.shape[1 + axis])))
    return taps


def _ranges(first: Array, past: Array) -> tuple[Array, Array]:
    at = first[:, None] + np.arange((past - first).max(initial=0))
    return at, at < past[:, None]


def _shares(x: Array, out: Array) -> Taps:
    """The input shared out among the outputs; shares overlap where they do not divide evenly."""
    if x[:1].size == 0 != out[:1].size:
        raise ValueError(f"pooling: nothing to share out in {x.shape}")
    taps = []
    for size, count in zip(x.shape[1:], out.shape[1:]):
        o = np.arange(count)
        taps.append(_ranges(o * size // max(count, 1), -(-(o + 1) * size // max(count, 1))))
    return taps


def _positions(axes: Taps, size: Numbers) -> tuple[Array, Array]:
    """(outputs, taps) -> flat position in the plane, 0 where there is none, and whether there is one."""
    (d, d_ok), (h, h_ok), (w, w_ok) = (
        tuple(a.reshape([n if i in (axis, axis + AXES) else 1
                         for i, n in enumerate((a.shape[0],) * AXES + (a.shape[1],) * AXES)]) for a in pair)
        for axis, pair in enumerate(axes))
    valid = d_ok & h_ok & w_ok
    at = np.where(valid, (d * size[1] + h) * size[2] + w, 0)
    outputs = valid.shape[:AXES]
    taps = int(np.prod(valid.shape[AXES:]))
    return at.reshape(*outputs, taps), valid.reshape(*outputs, taps)


def _lowest(dtype: np.dtype) -> float:
    return np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf


def _largest(out: Array, indices: Array, x: Array, taps: Taps) -> None:
    """The largest of each window: the last NaN if there is one, else the first of equal elements."""
    at, valid = _positions(taps, x.shape[1:])
    if out.size == 0 or at.size == 0 or x.size == 0:
        out[...], indices[...] = _lowest(x.dtype), -1
        return
    values = np.where(valid, x.reshape(len(x), -1)[:, at], _lowest(x.dtype))
    nan = valid & (values != values)
    first = np.argmax(valid & (values == values.max(axis=-1, keepdims=True)), axis=-1)
    last_nan = values.shape[-1] - 1 - np.argmax(nan[..., ::-1], axis=-1)
    chosen = np.where(nan.any(axis=-1), last_nan, first)[..., None]
    out[...] = np.take_along_axis(values, chosen, axis=-1)[..., 0]
    places = np.where(valid.any(axis=-1), np.take_along_axis(np.broadcast_to(at, values.shape), chosen, -1)[..., 0], -1)
    indices[...] = places.reshape(indices.shape)


@halves_in_float32(outs=1)
def max_pool(out: Array, indices: Array | None, x: Array, kernel: Numbers, stride: Numbers, padding: Numbers,
             dilation: Numbers) -> None:
    """The largest element of each window and, where asked for, its position; a NaN is larger than everything."""
    x, out = _pair(x, out, len(kernel))
    indices = np.empty(out.shape, np.int64) if indices is None else indices
    _largest(out, indices.reshape(out.shape), x, _sliding(x, out, kernel, stride, padding, dilation))


@halves_in_float32(outs=1)
def max_pool_backward(grad_in: Array, grad_out: Array, indices: Array, rank: int) -> None:
    """Each gradient added to the element that was the largest; grad_in comes zero-filled."""
    to, g = _pair(grad_in, grad_out, rank)
    places, size = indices.reshape(len(g), int(np.prod(g.shape[1:]))), int(np.prod(to.shape[1:]))
    kept = (places >= 0) & (places < size)
    plane = np.broadcast_to(np.arange(len(g))[:, None], places.shape)
    np.add.at(to.reshape(len(to), size), (plane[kept], places[kept]), g.reshape(places.shape)[kept])


@halves_in_float32(outs=1)
def adaptive_max_pool(out: Array, indices: Array, x: Array, rank: int) -> None:
    """The input shared out among the outputs: the largest element of each share and its position."""
    x, out = _pair(x, out, rank)
    _largest(out, indices.reshape(out.shape), x, _shares(x, out))


def _fractions(sample: float, size: int, count: int, kernel: int) -> tuple[Array, Array]:
    """Windows in steps of about (size - kernel) / (count - 1), shifted by the sample; the last one ends the input."""
    last, kind = size - kernel, type(sample)
    step = kind(last) / kind(max(count - 1, 1))
    first = ((np.arange(count, dtype=kind) + sample) * step).astype(np.int64) - int(sample * step)
    first = np.clip(first, 0, last)
    first[-1:] = last
    return _ranges(first, first + kernel)


@halves_in_float32(outs=1)
def fractional_max_pool(out: Array, indices: Array, x: Array, samples: Array, kernel: Numbers) -> None:
    """The largest element of windows that begin where `samples`, `rank` numbers in [0, 1) for each plane, put them."""
    rank = len(kernel)
    x, out = _pair(x, out, rank)
    samples, places, kernel3 = samples.reshape(len(x), rank), indices.reshape(out.shape), _three(kernel, 1)
    if not all(1 <= k <= size for k, size in zip(kernel3, x.shape[1:])):
        raise ValueError(f"fractional_max_pool: a window of {kernel} does not fit into {x.shape[1:]}")
    if not ((samples >= 0) & (samples < 1)).all():
        raise ValueError("fractional_max_pool: samples from 0 to 1 wanted")
    for plane, drawn in enumerate(samples):
        # torch takes the samples of two dimensions from the last to the first, those of three the other way round
        drawn = _three(tuple(drawn[::-1] if rank == 2 else drawn), samples.dtype.type(0))
        taps = list(map(_fractions, drawn, x.shape[1:], out.shape[1:], kernel3))
        _largest(out[plane:plane + 1], places[plane:plane + 1], x[plane:plane + 1], taps)


@halves_in_float32(outs=1)
def max_unpool(out: Array, x: Array, indices: Array, rank: int) -> int | None:
    """Each element put where its index says; returns the last index that is none of the plane, or None."""
    x, out = _pair(x, out, rank)
    places, size = indices.reshape(len(x), x[:1].size), out[:1].size
    outside = (places < 0) | (places >= size)
    flat = out.reshape(len(out), size)
    for plane, place in enumerate(places):
        flat[plane, place[~outside[plane]]] = x[plane].reshape(-1)[~outside[plane]]
    return int(places[outside][-1]) if outside.any() else None


def _divisors(x: Array, taps: Taps, kernel: Numbers, padding: Numbers, count_include_pad: bool,
              divisor_override: int) -> Array:
    counts = []
    for (at, valid), size, k, p in zip(taps, x.shape[1:], _three(kernel, 1), _three(padding, 0)):
        padded = np.minimum(at[:, 0] + k, size + p) - at[:, 0] if at.size else at.sum(axis=1)
        counts.append(np.where(valid.any(axis=1), padded, 0) if count_include_pad else valid.sum(axis=1))
    number = counts[0][:, None, None] * counts[1][:, None] * counts[2]
    return np.where(number == 0, 1, divisor_override or number)


@halves_in_float32(outs=1)
def avg_pool(out: Array, x: Array, kernel: Numbers, stride: Numbers, padding: Numbers, count_include_pad: bool,
             divisor_override: int) -> None:
    """The mean of each window: its sum over divisor_override or, where that is 0, over its number of elements."""
    x, out = _pair(x, out, len(kernel))
    taps = _sliding(x, out, kernel, stride, padding, (1,) * len(kernel))
    divisors = _divisors(x, taps, kernel, padding, count_include_pad, divisor_override)
    at, valid = _positions(taps, x.shape[1:])
    values = np.where(valid, x.reshape(len(x), -1)[:, at], 0) if x.size else np.zeros((len(x), *at.shape), x.dtype)
    total = values.sum(axis=-1, dtype=x.dtype)
    # whole numbers are divided towards zero, as C does
    out[...] = np.trunc(total / divisors) if x.dtype.kind in "iu" else total / divisors.astype(x.dtype)


@halves_in_float32(outs=1)
def avg_pool_backward(grad_in: Array, grad_out: Array, kernel: Numbers, stride: Numbers, padding: Numbers,
                      count_include_pad: bool, divisor_override: int) -> None:
    """Each gradient shared out among the elements of its window; grad_in comes zero-filled."""
    to, g = _pair(grad_in, grad_out, len(kernel))
    taps = _sliding(to, g, kernel, stride, padding, (1,) * len(kernel))
    divisors = _divisors(to, taps, kernel, padding, count_include_pad, divisor_override)
    _share_out(to, g / divisors.astype(g.dtype), taps)


def _share_out(to: Array, part: Array, taps: Taps) -> None:
    at, valid = _positions(taps, to.shape[1:])
    for plane, parts in zip(to.reshape(len(to), to[:1].size), part):
        np.add.at(plane, at[valid], np.broadcast_to(parts[..., None], at.shape)[valid])


@halves_in_float32(outs=1)
def adaptive_avg_pool(out: Array, x: Array, rank: int) -> None:
    """The input shared out among the outputs: the mean of each share."""
    x, out = _pair(x, out, rank)
    at, valid = _positions(_shares(x, out), x.shape[1:])
    if out.size:
        values = np.where(valid, x.reshape(len(x), -1)[:, at], 0)
        out[...] = values.sum(axis=-1) / valid.sum(axis=-1).astype(x.dtype)


@halves_in_float32(outs=1)
def adaptive_avg_pool_backward(grad_in: Array, grad_out: Array, rank: int) -> None:
    """Each gradient shared out among the elements of its share; grad_in comes zero-filled."""
    to, g = _pair(grad_in, grad_out, rank)
    taps = _shares(to, g)
    _share_out(to, g / _positions(taps, to.shape[1:])[1].sum(axis=-1).astype(g.dtype), taps)
