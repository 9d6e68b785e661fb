"""Resampling over the last one to three dimensions.

All dimensions before those are planes; sizes come from the arrays. `scales` has a number for each dimension: the factor
that was asked for, 0 where the sizes tell it, or -1 where the dimension is left alone, as channels that lie last are.
Gradients are the same sums, taken backwards; they are written whole.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray
Scales = tuple[float, ...]
Taps = tuple[Array, Array, Array]  # (output, tap) -> which input, its weight, and whether it counts

WEIGHT_BITS, MOST_BITS = 15, 22  # of a signed 16-bit number; of a weight's fraction
LARGEST_BYTE = 255


def _step(size: int, count: int, align_corners: bool, scale: float, dtype: np.dtype) -> np.floating:
    if align_corners:
        return dtype.type((size - 1) / (count - 1) if count > 1 else 0)
    return dtype.type(1 / scale) if scale > 0 else dtype.type(size) / dtype.type(count)


def _all(at: Array, weight: Array) -> Taps:
    return at.astype(np.int64), weight, np.ones(at.shape, bool)


def _nearest_taps(size: int, count: int, _: bool, scale: float, dtype: np.dtype) -> Taps:
    step, o = _step(size, count, False, scale, np.dtype(np.float32)), np.arange(count)
    # torch finds neighbours in single precision, whatever the numbers are
    at = np.floor(o.astype(np.float32) * step)
    return _all(np.minimum(at, size - 1)[:, None], np.ones((count, 1), dtype))


def _nearest_exact_taps(size: int, count: int, _: bool, scale: float, dtype: np.dtype) -> Taps:
    step = np.float64(_step(size, count, False, scale, np.dtype(np.float32)))
    at = np.floor(((np.arange(count) + 0.5) * step).astype(np.float32))
    return _all(np.minimum(at, size - 1)[:, None], np.ones((count, 1), dtype))


def _places(size: int, count: int, align_corners: bool, scale: float, dtype: np.dtype) -> Array:
    step, o, half = _step(size, count, align_corners, scale, dtype), np.arange(count, dtype=dtype), dtype.type(0.5)
    return step * o if align_corners else step * (o + half) - half


def _linear_taps(size: int, count: int, align_corners: bool, scale: float, dtype: np.dtype) -> Taps:
    place = np.arange(count, dtype=dtype) if size == count else _places(size, count, align_corners, scale, dtype)
    low = np.clip(place, 0, size - 1).astype(np.int64)
    high = low if size == count else np.minimum(low + 1, size - 1)
    part = np.clip(place - low.astype(dtype), 0, 1)
    return _all(np.stack([low, high], 1), np.stack([1 - part, part], 1))


def _cubic_weight(x: Array, a: float) -> Array:
    """Keys' kernel."""
    x, a = np.abs(x), x.dtype.type(a)
    near, far = ((a + 2) * x - (a + 3)) * x * x + 1, ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0)).astype(x.dtype)


def _cubic_taps(size: int, count: int, align_corners: bool, scale: float, dtype: np.dtype) -> Taps:
    place = np.clip(_places(size, count, align_corners, scale, dtype), -4, size + 4)
    low = np.floor(place)
    part = place - low
    far = _cubic_weight(np.stack([part + 1, part, 1 - part, 2 - part], 1), -0.75)
    return _all(np.clip(low[:, None] + np.arange(-1, 3), 0, size - 1), far)


def _smooth_taps(reach: int, kernel: Callable[[Array], Array]) -> Callable[..., Taps]:
    def taps(size: int, count: int, align_corners: bool, scale: float, dtype: np.dtype) -> Taps:
        if size == count:  # torch leaves it alone
            return _all(np.arange(size)[:, None], np.ones((size, 1), dtype))
        step, half = _step(size, count, align_corners, scale, dtype), dtype.type(0.5)
        support = dtype.type(reach * step if step >= 1 else reach)
        centre = step * (np.arange(count, dtype=dtype) + half)
        first, past = (np.clip(edge, 0, size).astype(np.int64)
                       for edge in (centre - support + half, centre + support + half))
        at = first[:, None] + np.arange((past - first).max(initial=1))
        valid = at < past[:, None]
        far = (at.astype(dtype) - centre[:, None] + half) * (1 / step if step >= 1 else dtype.type(1))
        weight = np.where(valid, kernel(far.astype(dtype)), 0)
        total = weight.sum(axis=1, keepdims=True)
        return np.minimum(at, size - 1), (weight / np.where(total == 0, 1, total)).astype(dtype), valid
    return taps


_linear_smooth_taps = _smooth_taps(1, lambda x: np.maximum(1 - np.abs(x), 0))
_cubic_smooth_taps = _smooth_taps(2, lambda x: _cubic_weight(x, -0.5))
_lanczos_smooth_taps = _smooth_taps(3, lambda x: np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0))


# Which inputs each output is mixed of, by the name of a kernel.
TAPS: dict[str, Callable[..., Taps]] = {
    "upsample_linear": _linear_taps, "upsample_cubic": _cubic_taps, "upsample_linear_smooth": _linear_smooth_taps,
    "upsample_cubic_smooth": _cubic_smooth_taps, "upsample_lanczos_smooth": _lanczos_smooth_taps,
}


def _tables(x: Array, out: Array, taps: Callable[..., Taps], align_corners: bool, scales: Scales,
            dtype: np.dtype | None = None) -> list:
    """(axis, taps) for each dimension, the last one first."""
    rank = len(scales)
    if not 1 <= rank <= 3 or x.ndim != out.ndim or x.ndim < rank or x.shape[:-rank] != out.shape[:-rank] \
            or not all(x.shape[-rank:] + out.shape[-rank:]):
        raise ValueError(f"interpolation over {rank} dimensions: {x.shape} and {out.shape} do not fit")
    dtype = dtype or (x.dtype if x.dtype.kind == "f" else np.dtype(np.float32))
    tables = []
    for axis in range(-1, -rank - 1, -1):
        size, count, scale = x.shape[axis], out.shape[axis], scales[axis]
        if scale >= 0:
            tables.append((axis, taps(size, count, align_corners, scale, dtype)))
        elif size != count:
            raise ValueError(f"interpolation: {size} and {count} elements in a dimension left alone")
    return tables


def _resample(out: Array, x: Array, taps: Callable[..., Taps], align_corners: bool, scales: Scales) -> None:
    if x.size == 0 == out.size:
        return
    now = x
    for axis, (at, weight, valid) in _tables(x, out, taps, align_corners, scales):
        moved = np.moveaxis(now, axis, -1)[..., at]
        if weight.shape[1] > 1 or not valid.all():
            moved = np.where(valid, moved * weight, 0)
        now = np.moveaxis(moved.sum(axis=-1, dtype=x.dtype), -1, axis)
    out[...] = now


def _resample_backward(grad_in: Array, grad_out: Array, taps: Callable[..., Taps], align_corners: bool,
                       scales: Scales) -> None:
    if grad_in.size == 0 == grad_out.size:
        return
    now = grad_out
    for axis, (at, weight, valid) in _tables(grad_in, grad_out, taps, align_corners, scales)[::-1]:
        g = np.moveaxis(now, axis, 0)
        before = np.zeros((grad_in.shape[axis], *g.shape[1:]), g.dtype)
        for tap in range(at.shape[1]):
            parts = g * (weight * valid)[:, tap].reshape(-1, *[1] * (g.ndim - 1))
            np.add.at(before, at[:, tap], parts)
        now = np.moveaxis(before, 0, axis)
    grad_in[...] = now


@halves_in_float32(outs=1)
def upsample_nearest(out: Array, x: Array, scales: Scales) -> None:
    """Each output is the input that its lower corner falls into."""
    _resample(out, x, _nearest_taps, False, scales)


@halves_in_float32(outs=1)
def upsample_nearest_backward(grad_in: Array, grad_out: Array, scales: Scales) -> None:
    """Gradient of upsample_nearest."""
    _resample_backward(grad_in, grad_out, _nearest_taps, False, scales)


@halves_in_float32(outs=1)
def upsample_nearest_exact(out: Array, x: Array, scales: Scales) -> None:
    """Each output is the input that its centre falls into."""
    _resample(out, x, _nearest_exact_taps, False, scales)


@halves_in_float32(outs=1)
def upsample_nearest_exact_backward(grad_in: Array, grad_out: Array, scales: Scales) -> None:
    """Gradient of upsample_nearest_exact."""
    _resample_backward(grad_in, grad_out, _nearest_exact_taps, False, scales)


@halves_in_float32(outs=1)
def upsample_linear(out: Array, x: Array, align_corners: bool, scales: Scales) -> None:
    """Along each dimension, a mix of the two inputs beside the output."""
    _resample(out, x, _linear_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_linear_backward(grad_in: Array, grad_out: Array, align_corners: bool, scales: Scales) -> None:
    """Gradient of upsample_linear."""
    _resample_backward(grad_in, grad_out, _linear_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_cubic(out: Array, x: Array, align_corners: bool, scales: Scales) -> None:
    """Along each dimension, a mix of the four inputs around the output, by Keys' kernel with a = -0.75."""
    _resample(out, x, _cubic_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_cubic_backward(grad_in: Array, grad_out: Array, align_corners: bool, scales: Scales) -> None:
    """Gradient of upsample_cubic."""
    _resample_backward(grad_in, grad_out, _cubic_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_linear_smooth(out: Array, x: Array, align_corners: bool, scales: Scales) -> None:
    """upsample_linear with a kernel as wide as what an output stands for, so that nothing is left out (antialias)."""
    _resample(out, x, _linear_smooth_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_linear_smooth_backward(grad_in: Array, grad_out: Array, align_corners: bool, scales: Scales) -> None:
    """Gradient of upsample_linear_smooth."""
    _resample_backward(grad_in, grad_out, _linear_smooth_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_cubic_smooth(out: Array, x: Array, align_corners: bool, scales: Scales) -> None:
    """upsample_cubic with a kernel as wide as what an output stands for, and a = -0.5 (antialias)."""
    _resample(out, x, _cubic_smooth_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_cubic_smooth_backward(grad_in: Array, grad_out: Array, align_corners: bool, scales: Scales) -> None:
    """Gradient of upsample_cubic_smooth."""
    _resample_backward(grad_in, grad_out, _cubic_smooth_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_lanczos_smooth(out: Array, x: Array, align_corners: bool, scales: Scales) -> None:
    """As upsample_linear_smooth, by Lanczos' kernel over three elements to each side (antialias)."""
    _resample(out, x, _lanczos_smooth_taps, align_corners, scales)


@halves_in_float32(outs=1)
def upsample_lanczos_smooth_backward(grad_in: Array, grad_out: Array, align_corners: bool, scales: Scales) -> None:
    """Gradient of upsample_lanczos_smooth."""
    _resample_backward(grad_in, grad_out, _lanczos_smooth_taps, align_corners, scales)


def upsample_bytes(out: Array, x: Array, kernel: str, align_corners: bool, scales: Scales) -> None:
    """Bytes mixed by the taps of a kernel in whole numbers, as torch does: rounded after each dimension, the last one
    first. A dimension that keeps its size is left alone."""
    if x.size == 0 == out.size:
        return
    now = x
    for axis, (at, weight, _) in _tables(x, out, TAPS[kernel], align_corners, scales, np.dtype(np.float64)):
        if x.shape[axis] != out.shape[axis]:
            now = np.moveaxis(_mixed(np.moveaxis(now, axis, -1), at, *_in_whole_numbers(_merged(at, weight))), -1, axis)
    out[...] = now


def _merged(at: Array, weight: Array) -> Array:
    """Weights of taps that look at one element, at the edge, added up in the last of them."""
    weight = weight.copy()
    for tap in range(1, at.shape[1]):
        same = at[:, tap] == at[:, tap - 1]
        weight[same, tap] += weight[same, tap - 1]
        weight[same, tap - 1] = 0
    return weight


def _in_whole_numbers(weight: Array) -> tuple[Array, int]:
    """Weights as 16-bit numbers, and how many of their bits are the fraction: as many as the largest weight leaves."""
    largest, bits = weight.max(initial=0), 0
    while bits < MOST_BITS and int(0.5 + largest * (1 << bits + 1)) < 1 << WEIGHT_BITS:
        bits += 1
    scaled = weight * (1 << bits)
    return np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int32), bits


def _mixed(x: Array, at: Array, weight: Array, bits: int) -> Array:
    """The last dimension resampled and rounded to bytes."""
    total = np.full((*x.shape[:-1], len(at)), 1 << bits - 1, np.int32)
    for tap in range(at.shape[1]):
        total += x[..., at[:, tap]] * weight[:, tap]
    return np.clip(total >> bits, 0, LARGEST_BYTE).astype(np.uint8)
