"""Convolutions of (N, C, *spatial) arrays in one, two or three dimensions, and their gradients, which are written."""
from __future__ import annotations

from itertools import product

import numpy as np

from ..half_precision import halves_in_float32
from .columns import Sizes, store, windows

Array = np.ndarray
Maybe = np.ndarray | None


def _cut(seen: Array, positions: Sizes) -> Array:
    """The windows of these positions; a transposed convolution may have fewer than its result has room for."""
    if any(n > room for n, room in zip(positions, seen.shape[2:])):
        raise ValueError(f"convolution: {seen.shape[2:]} has no positions {positions}")
    return seen[(slice(None), slice(None), *(slice(n) for n in positions))]


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
    seen = _cut(windows(x, weight.shape[2:], stride, padding, dilation), out.shape[2:])
    sums = [np.tensordot(part, w, ((1, *range(2 + nd, 2 + 2 * nd)), (1, *range(2, 2 + nd))))
            for part, w in zip(_grouped(seen, 1, groups), _grouped(weight, 0, groups))]
    value = np.moveaxis(np.concatenate(sums, -1), -1, 1)
    store(out, value if bias is None else value + bias.reshape(-1, *(1,) * nd))


@halves_in_float32(outs=1)
def convolution_input_grad(grad_input: Array, grad_output: Array, weight: Array, stride: Sizes, padding: Sizes,
                           dilation: Sizes, groups: int, bias: Array | None = None) -> None:
    """What each input element is given back by the positions that saw it; with a bias for each channel of the input, a
    transposed convolution."""
    kernel = weight.shape[2:]
    _fit(grad_input.shape[1], grad_output.shape[1], weight, groups)
    padded = np.pad(np.zeros_like(grad_input), [(0, 0), (0, 0), *((p, p) for p in padding)])
    positions = _cut(windows(grad_input, kernel, stride, padding, dilation), grad_output.shape[2:]).shape[2:]
    for place in product(*map(range, kernel)):
        at = tuple(slice(k * d, k * d + (n - 1) * s + 1 if n else k * d, s)
                     for k, d, s, n in zip(place, dilation, stride, positions))
        parts = [np.tensordot(g, w[(..., *place)], ((1,), (0,)))
                 for g, w in zip(_grouped(grad_output, 1, groups), _grouped(weight, 0, groups))]
        padded[(slice(None), slice(None), *at)] += np.moveaxis(np.concatenate(parts, -1), -1, 1)
    inner = tuple(slice(p, p + n) for p, n in zip(padding, grad_input.shape[2:]))
    given = padded[(slice(None), slice(None), *inner)]
    store(grad_input, given if bias is None else given + bias.reshape(-1, *[1] * len(kernel)))


@halves_in_float32(outs=1)
def convolution_weight_grad(grad_weight: Array, grad_output: Array, x: Array, stride: Sizes, padding: Sizes,
                            dilation: Sizes, groups: int) -> None:
    """What each weight is given back, by every position of every item."""
    nd = grad_weight.ndim - 2
    _fit(x.shape[1], grad_output.shape[1], grad_weight, groups)
    seen = _cut(windows(x, grad_weight.shape[2:], stride, padding, dilation), grad_output.shape[2:])
    places = (0, *range(2, 2 + nd))
    parts = [np.tensordot(g, part, (places, places))
             for g, part in zip(_grouped(grad_output, 1, groups), _grouped(seen, 1, groups))]
    store(grad_weight, np.concatenate(parts))
