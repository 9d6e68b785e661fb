# cython: annotation_typing=False
"""Borders that continue a tensor: as in a mirror, with its edges repeated, or from the other side."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np

from ... import bordered
from ...errstate import silent
from ...layout import compact, transcribe

Border = tuple[int, int, int]  # a dimension, and how many places are put before and after it


def _reflected(size: int, before: int, after: int) -> np.ndarray:
    """Which element each place of a mirrored dimension shows."""
    places = np.abs(np.arange(-before, size + after))
    return np.where(places < size, places, 2 * (size - 1) - places)


def _replicated(size: int, before: int, after: int) -> np.ndarray:
    """Which element each place shows where the edge is repeated."""
    return np.clip(np.arange(-before, size + after), 0, size - 1)


def _circular(size: int, before: int, after: int) -> np.ndarray:
    """Which element each place shows where a dimension begins again."""
    return np.arange(-before, size + after) % size


DIMENSIONS = 3  # that may have borders
IMAGE_DIMENSIONS = 4
RULES = {"reflection": _reflected, "replication": _replicated, "circular": _circular}


@functools.lru_cache(256)
def _places(rule: str, size: int, before: int, after: int) -> np.ndarray:
    """A training step asks for the same ones again and again."""
    places = RULES[rule](size, before, after)
    places.flags.writeable = False
    return places


def _shown(rule: str, shape: tuple[int, ...], borders: Sequence[Border]) -> tuple[np.ndarray, ...]:
    """The same for each of the last dimensions, which have the borders; three of them."""
    shown = [_places(rule, shape[dim], before, after) for dim, before, after in borders]
    return (*[np.zeros(1, np.int64)] * (DIMENSIONS - len(shown)), *shown)


def _as_planes(array: np.ndarray, padded: int) -> np.ndarray:
    """(planes, d, h, w): the dimensions with borders, and all before them as one."""
    before, sizes = array.shape[:array.ndim - padded], array.shape[array.ndim - padded:]
    return array.reshape(math.prod(before), *[1] * (DIMENSIONS - padded), *sizes)


def _pixels(array: np.ndarray, borders: Sequence[Border]) -> np.ndarray | None:
    """(n, h, w, c) of images with borders whose channels lie last in memory, else None."""
    if array.ndim != IMAGE_DIMENSIONS or [dim for dim, _, _ in borders] != [2, 3]:
        return None
    turned = array.transpose(0, 2, 3, 1)
    return turned if turned.flags.c_contiguous else None


def _along_pixels(loop, to: np.ndarray, of: np.ndarray, rule: str, shape: tuple[int, ...], borders) -> bool:
    """Whether both lie so; then the loop has run, and channels show themselves."""
    if to.flags.c_contiguous:
        return False
    to, of = _pixels(to, borders), _pixels(of, borders)
    if to is None or of is None:
        return False
    loop(to, of, *_shown(rule, shape, borders)[1:], np.arange(shape[1]))
    return True


def continue_borders(out: np.ndarray, source: np.ndarray, rule: str, borders: Sequence[Border]) -> None:
    """An array with borders that show elements of it, by one of the rules."""
    if _along_pixels(bordered.show_places, out, source, rule, source.shape, borders):
        return
    into = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
    bordered.show_places(_as_planes(into, len(borders)), _as_planes(compact(source), len(borders)),
                         *_shown(rule, source.shape, borders))
    if into is not out:
        transcribe(out, into)


@silent
def add_borders_back(out: np.ndarray, grad: np.ndarray, rule: str, borders: Sequence[Border]) -> None:
    """Each place of a padded gradient added to the element it showed."""
    sums = np.zeros_like(out, grad.dtype)
    if _along_pixels(bordered.add_places, sums, grad, rule, out.shape, borders):
        transcribe(out, sums)
        return
    sums = np.zeros(out.shape, grad.dtype)
    bordered.add_places(_as_planes(sums, len(borders)), _as_planes(compact(grad), len(borders)),
                        *_shown(rule, out.shape, borders))
    transcribe(out, sums)
