"""What a kernel sees at each position of an (N, C, *spatial) image as columns, and columns put back."""
from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..half_precision import halves_in_float32

Array = np.ndarray
Sizes = tuple[int, ...]


def _reach(kernel: Sizes, dilation: Sizes) -> Sizes:
    """How far a kernel spreads."""
    return tuple((k - 1) * d + 1 for k, d in zip(kernel, dilation))


def _check(x: Array, kernel: Sizes, *steps: Sizes) -> None:
    stride, padding, dilation = steps
    if not 1 <= len(kernel) == x.ndim - 2 <= 3 or any(len(sizes) != len(kernel) for sizes in steps):
        raise ValueError(f"convolution: {x.shape}, kernel {kernel} and {steps} are not of one to three dimensions")
    if min(*kernel, *stride, *dilation) < 1 or min(padding) < 0:
        raise ValueError(f"convolution: kernel {kernel} with {steps} cannot be taken")


def windows(x: Array, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Array:
    """What the kernel sees at each position: (N, C, *positions, *kernel) of x with zeros around it."""
    _check(x, kernel, stride, padding, dilation)
    x = np.pad(x, [(0, 0), (0, 0), *((p, p) for p in padding)])
    seen = sliding_window_view(x, _reach(kernel, dilation), axis=tuple(range(2, x.ndim)))
    return seen[(slice(None), slice(None), *(slice(None, None, step) for step in (*stride, *dilation)))]


def store(out: Array, value: Array) -> None:
    if out.shape != value.shape:
        raise ValueError(f"convolution: {out.shape} has no room for {value.shape}")
    out[...] = value


@halves_in_float32(outs=1)
def im2col(out: Array, x: Array, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> None:
    """What the kernel sees at each position as a column: (N, C * places of the kernel, positions)."""
    seen = windows(x, tuple(kernel_size), stride, padding, dilation)
    nd = len(kernel_size)
    columns = np.moveaxis(seen, range(2 + nd, 2 + 2 * nd), range(2, 2 + nd))
    store(out, columns.reshape(x.shape[0], x.shape[1] * prod(kernel_size), prod(seen.shape[2:2 + nd])))


@halves_in_float32(outs=1)
def col2im(out: Array, columns: Array, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> None:
    """Columns put back to where im2col takes them from; where they overlap they are added up."""
    nd, kernel = len(kernel_size), tuple(kernel_size)
    positions = windows(out, kernel, stride, padding, dilation).shape[2:2 + nd]
    parts = columns.reshape(*out.shape[:2], *kernel, *positions)
    padded = np.pad(np.zeros_like(out), [(0, 0), (0, 0), *((p, p) for p in padding)])
    for place in product(*map(range, kernel)):
        at = tuple(slice(k * d, k * d + (n - 1) * s + 1, s)
                   for k, d, s, n in zip(place, dilation, stride, positions))
        padded[(slice(None), slice(None), *at)] += parts[(slice(None), slice(None), *place)]
    store(out, padded[(slice(None), slice(None), *(slice(p, p + n) for p, n in zip(padding, out.shape[2:])))])
