"""Between two arrays, and a step along a product or quotient."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import update
from ...half_precision import is_half
from ...layout import stored


def _lerp_tensor(start: np.ndarray, end: np.ndarray, weight: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """torch's two formulas: whichever end is nearer is met exactly."""
    if is_half(start):
        start, end, weight = (a.astype(np.float32) for a in (start, end, weight))
    between = np.where(np.abs(weight) < 0.5, start + weight * (end - start), end - (end - start) * (1 - weight))
    return stored(between, out)


def _lerp(start: np.ndarray, end: np.ndarray, weight, out: np.ndarray | None = None) -> np.ndarray:
    if start.dtype.kind == "c":
        return _lerp_tensor(start, end, start.dtype.type(weight), out)
    return _run(update.lerp_scalar, (start, end), weight, out)


def _lerp_dense(out: np.ndarray, start: np.ndarray, end: np.ndarray, weight) -> None:
    """The loop for an end of the same shape; a single number, which other loops take as well, is spread out."""
    if end.shape != start.shape:
        end = np.full(start.shape, end, start.dtype)
    update.lerp_scalar(out, start, end, weight)


def _addcmul(base: np.ndarray, a: np.ndarray, b: np.ndarray, value, out: np.ndarray | None = None) -> np.ndarray:
    if base.dtype.kind in "iubc":
        return np.add(base, base.dtype.type(value) * a * b, out=out)
    return _run(update.addcmul, (base, a, b), value, out)


def _addcdiv(base: np.ndarray, a: np.ndarray, b: np.ndarray, value, out: np.ndarray | None = None) -> np.ndarray:
    if base.dtype.kind == "c":
        return np.add(base, base.dtype.type(value) * a / b, out=out)
    return _run(update.addcdiv, (base, a, b), value, out)


def _run(loop: Callable, arrays: tuple, number, out: np.ndarray | None) -> np.ndarray:
    """Run a loop that wants arrays of one shape without gaps; what does not fit is laid out anew."""
    dtype = arrays[-1].dtype
    first = arrays[0].astype(dtype, copy=False)  # in place it comes in its own type
    arrays = (first, *arrays[1:])
    shape = first.shape
    if not all(a.shape == shape and a.flags.c_contiguous for a in arrays):
        shape = np.broadcast_shapes(*[a.shape for a in arrays])
        arrays = [np.ascontiguousarray(np.broadcast_to(a, shape)).reshape(shape) for a in arrays]
    if out is not None and out.flags.c_contiguous and out.shape == shape and out.dtype == dtype:
        loop(out, *arrays, number)
        return out
    dense = np.empty(shape, dtype)
    loop(dense, *arrays, number)
    return stored(dense, out)


ELEMENTWISE = {
    "lerp": (_lerp, _lerp_dense),
    "lerp_tensor": (_lerp_tensor, None),
    "addcmul": (_addcmul, update.addcmul),
    "addcdiv": (_addcdiv, update.addcdiv),
}
