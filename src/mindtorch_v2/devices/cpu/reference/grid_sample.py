"""Elements between those of an image, at places that a grid names in numbers from -1 to 1."""
from __future__ import annotations

import itertools

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray
Maybe = np.ndarray | None
# for each tap: element along an axis (-1: none), and its weight, with the weight's slope and bend
Taps = list[tuple[Array, tuple[Array, Array, Array]]]

LINEAR, NEAREST, CUBIC = range(3)
ZEROS, BORDER, REFLECTION = range(3)
CUBIC_A = -0.75


def _clip(place: Array, slope: Array, size: int, rank: int) -> tuple[Array, Array]:
    within = (place > 0) & (place < size - 1)
    # torch puts what is not a number at the first element in two dimensions, at the last one in three
    edge = np.where(place <= 0, 0, np.where((place >= size - 1) | (rank == 3), size - 1, 0))
    return np.where(within, place, edge).astype(place.dtype), np.where(within, slope, 0).astype(place.dtype)


def _reflect(place: Array, slope: Array, size: int, align_corners: bool) -> tuple[Array, Array]:
    """Back and forth between the centres of the outermost elements, or between their borders."""
    low, span = (0, size - 1) if align_corners else (-0.5, size)
    if span == 0:
        return np.zeros_like(place), np.zeros_like(place)
    away = np.abs(place - place.dtype.type(low))
    back = np.fmod(np.floor(away / span), 2) != 0
    extra = np.fmod(away, place.dtype.type(span))
    turn = np.where(place < low, -1, 1) * np.where(back, -1, 1)
    return (np.where(back, span - extra, extra) + low).astype(place.dtype), slope * turn.astype(place.dtype)


def _padded(place: Array, slope: Array, size: int, rank: int, padding: int, align: bool) -> tuple[Array, Array]:
    if padding == REFLECTION:
        place, slope = _reflect(place, slope, size, align)
    return (place, slope) if padding == ZEROS else _clip(place, slope, size, rank)


def _element(place: Array, size: int) -> Array:
    return np.where((place > -1) & (place < size), np.nan_to_num(place), -1).astype(np.int64)


def _cubic_taps(place: Array, slope: Array, size: int, padding: int, align: bool) -> Taps:
    low, a = np.floor(place), place.dtype.type(CUBIC_A)
    taps = []
    for k in range(4):
        far = place - low + 1 - k
        x, sign = np.abs(far), np.where(far < 0, -slope, slope)
        if k in (1, 2):
            weight, change = ((a + 2) * x - (a + 3)) * x * x + 1, (3 * (a + 2) * x - 2 * (a + 3)) * x
            bend = 6 * (a + 2) * x - 2 * (a + 3)
        else:
            weight, change = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a, (3 * a * x - 10 * a) * x + 8 * a
            bend = 6 * a * x - 10 * a
        at, _ = _padded(low - 1 + k, slope, size, 2, padding, align)
        taps.append((_element(at, size), (weight, sign * change, slope * slope * bend)))
    return taps


def _taps(coordinate: Array, size: int, rank: int, interpolation: int, padding: int, align: bool) -> Taps:
    kind = coordinate.dtype.type
    place = (coordinate + 1) / 2 * kind(size - 1) if align else ((coordinate + 1) * kind(size) - 1) / 2
    slope = np.full_like(place, (size - 1 if align else size) / 2)
    if interpolation != CUBIC:
        place, slope = _padded(place, slope, size, rank, padding, align)
    none = np.zeros_like(place)
    if interpolation == NEAREST:
        return [(_element(np.rint(place), size), (np.ones_like(place), none, none))]
    lost = ~np.isfinite(place) if rank == 2 else np.zeros(place.shape, bool)
    if interpolation == CUBIC:
        taps = _cubic_taps(place, slope, size, padding, align)
    else:
        low = np.floor(place)
        taps = [(_element(low, size), (low + 1 - place, -slope, none)),
                (_element(low + 1, size), (place - low, slope, none))]
    # where the place is no number, neither is the result
    return [(np.where(lost, 0 if k == 0 else -1, at), tuple(np.where(lost, kind(np.nan), w) for w in weights))
            for k, (at, weights) in enumerate(taps)]


def _mixes(out: Array, x: Array, grid: Array, interpolation: int, padding: int, align: bool) -> list[tuple]:
    """For each combination of taps: element in the plane, whether there is one, weights along the grid's axes."""
    rank, sizes = x.ndim - 2, x.shape[2:]
    if rank not in (2, 3) or grid.shape != (x.shape[0], *out.shape[2:], rank) or out.shape[:2] != x.shape[:2] \
            or not all(sizes) or padding not in range(3) or interpolation not in range(3 if rank == 2 else 2):
        raise ValueError(f"grid_sampler: {x.shape}, {grid.shape} and {out.shape} do not fit")
    points = grid.reshape(len(x), int(np.prod(out.shape[2:])), rank)
    along = [_taps(points[..., rank - 1 - axis], size, rank, interpolation, padding, align)
             for axis, size in enumerate(sizes)]
    mixes = []
    for taps in itertools.product(*along):
        at, valid = np.zeros(points.shape[:2], np.int64), np.ones(points.shape[:2], bool)
        for (element, _), size in zip(taps, sizes):
            at, valid = at * size + element, valid & (element >= 0)
        mixes.append((np.where(valid, at, 0), valid, [weights for _, weights in taps[::-1]]))
    return mixes


def _weight(weights: list[tuple[Array, Array, Array]], *by: int) -> Array:
    """The weight of a combination, or its derivative by axes of the grid."""
    return np.prod([along[by.count(axis)] for axis, along in enumerate(weights)], axis=0)


def _picked(x: Array, at: Array) -> Array:
    """(n, c, points): the elements of each plane."""
    return np.take_along_axis(x.reshape(*x.shape[:2], int(np.prod(x.shape[2:]))), at[:, None, :], axis=2)


@halves_in_float32(outs=1)
def grid_sampler(out: Array, x: Array, grid: Array, interpolation: int, padding: int, align_corners: bool) -> None:
    """x at the places of the grid; interpolation and padding are torch's numbers for them."""
    total = np.zeros((*out.shape[:2], int(np.prod(out.shape[2:]))), x.dtype)
    for at, valid, weights in _mixes(out, x, grid, interpolation, padding, align_corners):
        total += np.where(valid[:, None], _weight(weights)[:, None] * _picked(x, at), 0)
    out[...] = total.reshape(out.shape)


@halves_in_float32(outs=2)
def grid_sampler_backward(grad_x: Maybe, grad_grid: Maybe, grad_out: Array, x: Array, grid: Array,
                          interpolation: int, padding: int, align_corners: bool) -> None:
    """Gradients of grid_sampler for x and the grid; those that are None are left out."""
    g = grad_out.reshape(*grad_out.shape[:2], int(np.prod(grad_out.shape[2:])))
    to_x, to_grid = np.zeros((*x.shape[:2], int(np.prod(x.shape[2:]))), x.dtype), np.zeros_like(grid)
    batch, channel = np.arange(len(x))[:, None, None], np.arange(x.shape[1])[:, None]
    for at, valid, weights in _mixes(grad_out, x, grid, interpolation, padding, align_corners):
        np.add.at(to_x, (batch, channel, at[:, None]), np.where(valid[:, None], _weight(weights)[:, None] * g, 0))
        total = np.where(valid, (g * _picked(x, at)).sum(axis=1), 0).reshape(grid.shape[:-1])
        for axis in range(len(weights)):
            to_grid[..., axis] += np.where(valid, _weight(weights, axis), 0).reshape(total.shape) * total
    for asked, value in ((grad_x, to_x), (grad_grid, to_grid)):
        if asked is not None:
            asked[...] = value.reshape(asked.shape)


@halves_in_float32(outs=3)
def grid_sampler_second(grad_grad: Array, grad_x: Array, grad_grid: Array, change: Array, grad_out: Array, x: Array,
                        grid: Array, interpolation: int, padding: int, align_corners: bool) -> None:
    """Gradients of the grid's gradient, which changes so: for grad_out, x and the grid."""
    points = int(np.prod(grad_out.shape[2:]))
    g, v = grad_out.reshape(*grad_out.shape[:2], points), change.reshape(len(change), points, change.shape[-1])
    to_grad, to_grid = np.zeros_like(g), np.zeros_like(v)
    to_x = np.zeros((*x.shape[:2], int(np.prod(x.shape[2:]))), x.dtype)
    batch, channel = np.arange(len(x))[:, None, None], np.arange(x.shape[1])[:, None]
    axes = range(v.shape[-1])
    for at, valid, weights in _mixes(grad_out, x, grid, interpolation, padding, align_corners):
        along = np.where(valid, sum(v[..., i] * _weight(weights, i) for i in axes), 0)[:, None]
        values = _picked(x, at)
        to_grad += along * values
        np.add.at(to_x, (batch, channel, at[:, None]), along * g)
        total = np.where(valid, (g * values).sum(axis=1), 0)
        for j in axes:
            to_grid[..., j] += total * np.where(valid, sum(v[..., i] * _weight(weights, i, j) for i in axes), 0)
    for asked, value in ((grad_grad, to_grad), (grad_x, to_x), (grad_grid, to_grid)):
        asked[...] = value.reshape(asked.shape)
