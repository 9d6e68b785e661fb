# cython: annotation_typing=False
"""Elements in another order, repeated, or left out."""

from __future__ import annotations

import numpy as np

from ... import moving, pointwise
from ...array_facts import is_compact


def flip(out: np.ndarray, x: np.ndarray, dims: tuple[int, ...]) -> None:
    """Some dimensions in reverse order of their indices."""
    if not moving.flip(out, x, dims):
        pointwise.copy(out, np.flip(x, dims))


def roll(out: np.ndarray, x: np.ndarray, shift: int, dim: int) -> None:
    """Elements shifted along a dimension, by less than its size."""
    if not moving.roll(out, x, shift, dim):
        pointwise.copy(_part(out, dim, shift, None), _part(x, dim, 0, x.shape[dim] - shift))
        pointwise.copy(_part(out, dim, 0, shift), _part(x, dim, x.shape[dim] - shift, None))


def _part(array: np.ndarray, dim: int, start: int, stop: int | None) -> np.ndarray:
    return array[(slice(None),) * dim + (slice(start, stop),)]


def repeat(out: np.ndarray, x: np.ndarray, repeats: tuple[int, ...]) -> None:
    """Copies of an array laid side by side along each dimension."""
    if moving.repeat(out, x):
        return
    if not is_compact(out):
        np.copyto(out, np.tile(x, repeats))
        return
    sizes = (1,) * (out.ndim - x.ndim) + x.shape
    copies, once = zip(*[((n // m if m else 0, m), (1, m)) for n, m in zip(out.shape, sizes)])
    pointwise.copy(out.reshape(sum(copies, ())), x.reshape(sum(once, ())))


def repeat_positions(out: np.ndarray, counts: np.ndarray) -> None:
    """Each position as often as its count says."""
    out[...] = np.repeat(np.arange(counts.size), counts)


def tril(out: np.ndarray, x: np.ndarray, diagonal: int) -> None:
    """What lies on and below a diagonal; zero elsewhere."""
    if not _kept_triangle(out, x, diagonal, True):
        _keep(out, x, np.tri(*x.shape[-2:], diagonal, bool))


def triu(out: np.ndarray, x: np.ndarray, diagonal: int) -> None:
    """What lies on and above a diagonal; zero elsewhere."""
    if not _kept_triangle(out, x, diagonal, False):
        _keep(out, x, ~np.tri(*x.shape[-2:], diagonal - 1, bool))


def _kept_triangle(out: np.ndarray, x: np.ndarray, diagonal: int, lower: bool) -> bool:
    """Keep a triangle by the compiled loop; False where matrices do not lie side by side."""
    if not is_compact(out):
        return False
    if not is_compact(x):
        pointwise.copy(out, x)
        x = out
    return moving.triangle(out, x, diagonal, lower)


def _keep(out: np.ndarray, x: np.ndarray, mask: np.ndarray) -> None:
    if out is not x:
        np.copyto(out, x)
    np.copyto(out, out.dtype.type(0), where=~mask)


def add_windows(windows: np.ndarray, grads: np.ndarray, size: int, step: int) -> None:
    """Add to windows that overlap: pieces as long as a step, each the same part of all windows, do not."""
    for start in range((size - 1) // step * step, -1, -step):  # from the last one, so that windows are added in order
        piece = windows[..., start:start + step]
        np.add(piece, grads[..., start:start + step], out=piece)


def copy_part(out: np.ndarray, source: np.ndarray, dim: int, start: int) -> None:
    """A part of one dimension, from a place on."""
    start = start + source.shape[dim] if start < 0 else start
    np.copyto(out, source[(slice(None),) * dim + (slice(start, start + out.shape[dim]),)])
