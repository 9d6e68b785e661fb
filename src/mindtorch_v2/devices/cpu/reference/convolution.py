"""Convolutions of (N, C, *spatial) arrays in one, two or three dimensions, and their gradients, which are written."""
from __future__ import annotations

from itertools import product

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..half_precision import halves_in_float32

Array = np.ndarray
Maybe = np.ndarray | None
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


def _windows(x: Array, kernel: Sizes, stride: Sizes, padding: Sizes, dilation: Sizes) -> Array:
    """What the kernel sees at each position: (N, C, *positions, *kernel) of x with zeros around it."""
    _check(x, kernel, stride, padding, dilation)
    x = np.pad(x, [(0, 0), (0, 0), *((p, p) for p in padding)])
    seen = sliding_window_view(x, _reach(kernel, dilation), axis=tuple(range(2, x.ndim)))
    return seen[(slice(None), slice(None), *(slice(None, None, step) for step in (*stride, *dilation)))]


def _cut(windows: Array, positions: Sizes) -> Array:
    """The windows of these positions; a transposed convolution may have fewer than its result has room for."""
    if any(n > room for n, room in zip(positions, windows.shape[2:])):
        raise ValueError(f"convolution: {windows.shape[2:]} has no positions {positions}")
    return windows[(slice(None), slice(None), *(slice(n) for n in positions))]


def _store(out: Array, value: Array) -> None:
    if out.shape != value.shape:
        raise ValueError(f"convolution: {out.shape} has no room for {value.shape}")
    out[...] = value


def _grouped(a: Array, axis: int, groups: int) -> list[Array]:
    if groups < 1 or a.shape[axis] % groups:
        raise ValueError(f"convolution: {a.shape[axis]} channels do not divide into {groups} groups")
    return np.split(a, groups, axis)


def _fit(channels: int, outputs: int, weight: Array, groups: int) -> None:
    if channels != weight.shape[1] * groups or outputs != weight.shape[0]:
        raise ValueError(f"convolution: weight {weight.shape} does not take {channels} channels to {outputs}")


@halves_in_float32(outs=1)
def convolution(out: Array, x: Array, weight: Array, bias: Maybe, stride: Sizes, padding: Sizes, dilation: Sizes,
                groups: int) -> None:
    """Each output channel is a weighted sum of what the kernel sees in the channels of its group, plus bias."""
    nd = weight.ndim - 2
    _fit(x.shape[1], out.shape[1], weight, groups)
    windows = _windows(x, weight.shape[2:], stride, padding, dilation)
    seen, kernel = (0, *range(2, 2 + nd)), range(2 + nd, 2 + 2 * nd)
    sums = [np.tensordot(part, w, ((1, *kernel), (1, *range(2, 2 + nd))))
            for part, w in zip(_grouped(windows, 1, groups), _grouped(weight, 0, groups))]
    value = np.moveaxis(np.concatenate(sums, -1), -1, 1)
    assert len(seen) + 1 == value.ndim
    _store(out, value if bias is None else value + bias.reshape(-1, *(1,) * nd))


@halves_in_float32(outs=1)
def convolution_input_grad(grad_input: Array, grad_output: Array, weight: Array, stride: Sizes, padding: Sizes,
                           dilation: Sizes, groups: int) -> None:
    """What each input element is given back by the positions that saw it; also a transposed convolution."""
    kernel = weight.shape[2:]
    _fit(grad_input.shape[1], grad_output.shape[1], weight, groups)
    padded = np.pad(np.zeros_like(grad_input), [(0, 0), (0, 0), *((p, p) for p in padding)])
    windows = _windows(grad_input, kernel, stride, padding, dilation)
    positions = _cut(windows, grad_output.shape[2:]).shape[2:2 + len(kernel)]
    for place in product(*map(range, kernel)):
        seen = tuple(slice(k * d, k * d + (n - 1) * s + 1 if n else k * d, s)
                     for k, d, s, n in zip(place, dilation, stride, positions))
        parts = [np.tensordot(g, w[(..., *place)], ((1,), (0,)))
                 for g, w in zip(_grouped(grad_output, 1, groups), _grouped(weight, 0, groups))]
        padded[(slice(None), slice(None), *seen)] += np.moveaxis(np.concatenate(parts, -1), -1, 1)
    inner = tuple(slice(p, p + n) for p, n in zip(padding, grad_input.shape[2:]))
    _store(grad_input, padded[(slice(None), slice(None), *inner)])


@halves_in_float32(outs=1)
def convolution_weight_grad(grad_weight: Array, grad_output: Array, x: Array, stride: Sizes, padding: Sizes,
                            dilation: Sizes, groups: int) -> None:
    """What each weight is given back, by every position of every item."""
    nd = grad_weight.ndim - 2
    _fit(x.shape[1], grad_output.shape[1], grad_weight, groups)
    windows = _cut(_windows(x, grad_weight.shape[2:], stride, padding, dilation), grad_output.shape[2:])
    places = (0, *range(2, 2 + nd))
    parts = [np.tensordot(g, part, (places, places))
             for g, part in zip(_grouped(grad_output, 1, groups), _grouped(windows, 1, groups))]
    _store(grad_weight, np.concatenate(parts))


@halves_in_float32(outs=1)
def im2col(out: Array, x: Array, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> None:
    """What the kernel sees at each position as a column: (N, C * places of the kernel, positions)."""
    windows = _windows(x, tuple(kernel_size), stride, padding, dilation)
    nd = len(kernel_size)
    columns = np.moveaxis(windows, range(2 + nd, 2 + 2 * nd), range(2, 2 + nd))
    _store(out, columns.reshape(x.shape[0], x.shape[1] * int(np.prod(kernel_size)), int(np.prod(windows.shape[2:2 + nd]))))


@halves_in_float32(outs=1)
def col2im(out: Array, columns: Array, kernel_size: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> None:
    """Columns put back to where im2col takes them from; where they overlap they are added up."""
    nd, kernel = len(kernel_size), tuple(kernel_size)
    positions = _windows(out, kernel, stride, padding, dilation).shape[2:2 + nd]
    parts = columns.reshape(*out.shape[:2], *kernel, *positions)
    padded = np.pad(np.zeros_like(out), [(0, 0), (0, 0), *((p, p) for p in padding)])
    for place in product(*map(range, kernel)):
        seen = tuple(slice(k * d, k * d + (n - 1) * s + 1, s)
                     for k, d, s, n in zip(place, dilation, stride, positions))
        padded[(slice(None), slice(None), *seen)] += parts[(slice(None), slice(None), *place)]
    _store(out, padded[(slice(None), slice(None), *(slice(p, p + n) for p, n in zip(padding, out.shape[2:])))])
