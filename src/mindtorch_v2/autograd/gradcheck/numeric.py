"""Derivatives by central differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...core.tensor import Tensor
from .values import array_of, is_complex, outputs_of, tensor_of, write


def differences(func: Callable, inputs: tuple, t: Tensor, step: np.ndarray, eps: float, at=None) -> list[np.ndarray]:
    """What each result of a function changes by, per ``eps``, when one of its inputs changes by a step."""
    kept = array_of(t).copy()
    write(t, kept - step)
    try:
        low = [array_of(out).copy() for out in outputs_of(func, inputs)]
        write(t, kept + step)
        high = [array_of(out).copy() for out in outputs_of(func, inputs)]
    finally:
        write(t, kept)
    with np.errstate(all="ignore"):
        return [_difference(a, b, eps, at) for a, b in zip(low, high)]


def _difference(low: np.ndarray, high: np.ndarray, eps: float, at) -> np.ndarray:
    where = "" if at is None else f"on index {at} "
    for what, one, other in (("shape", _shape(low), _shape(high)), ("dtype", low.dtype, high.dtype)):
        if one != other:
            raise AssertionError(f"Expected `func` to return outputs with the same {what} when inputs are perturbed "
                                 f"{where}by {eps}, but got: {what}s {one} and {other}.")
    return ((high - low) / (2 * eps)).reshape(-1)


def _shape(array: np.ndarray) -> str:
    return f"torch.Size({list(array.shape)})"


def directional(func: Callable, inputs: tuple, t: Tensor, direction: tuple[np.ndarray, ...], eps: float,
                at=None) -> list[np.ndarray]:
    """Derivatives along a direction; along two, one for each part, where the input is complex.

    Of a real function s of z = x + iy the derivative is ds/dx + i ds/dy, as torch's gradients have it.
    """
    along_x = differences(func, inputs, t, direction[0] * eps, eps, at)
    if not is_complex(t):
        return along_x
    along_y = differences(func, inputs, t, direction[1] * (eps * 1j), eps, at)
    return [dx + 1j * dy for dx, dy in zip(along_x, along_y)]


def jacobians(func: Callable, inputs: tuple, t: Tensor, eps: float, outputs: tuple) -> list[Tensor]:
    """For each result the derivatives by one input: a row for each of its elements."""
    shape = tuple(t.shape)
    rows = []
    for at in np.ndindex(shape):
        unit = np.zeros(shape, array_of(t).real.dtype)
        unit[at] = 1
        rows.append(directional(func, inputs, t, (unit, unit), eps, at))
    if not rows:
        return [tensor_of(np.zeros((0, out.numel())), _dtype(t, out)) for out in outputs]
    return [tensor_of(np.stack(column), _dtype(t, out)) for out, column in zip(outputs, zip(*rows))]


def _dtype(t: Tensor, out: Tensor):
    return t.dtype if is_complex(t) else out.dtype
