# cython: annotation_typing=False
"""Borders that continue a tensor: as in a mirror, or with its edges repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...errstate import silent
from ...half_precision import is_half

Border = tuple[int, int, int]  # a dimension, and how many places are put before and after it


def _reflected(size: int, before: int, after: int) -> np.ndarray:
    """Which element each place of a mirrored dimension shows."""
    places = np.abs(np.arange(-before, size + after))
    return np.where(places < size, places, 2 * (size - 1) - places)


def _replicated(size: int, before: int, after: int) -> np.ndarray:
    """Which element each place shows where the edge is repeated."""
    return np.clip(np.arange(-before, size + after), 0, size - 1)


RULES = {"reflection": _reflected, "replication": _replicated}


def _shown(rule: str, shape: tuple[int, ...], borders: Sequence[Border]) -> Iterator[tuple[int, np.ndarray]]:
    for dim, before, after in borders:
        yield dim, RULES[rule](shape[dim], before, after)


def continue_borders(out: np.ndarray, source: np.ndarray, rule: str, borders: Sequence[Border]) -> None:
    """An array with borders that show elements of it, by one of the rules."""
    if all([before >= 0 and after >= 0 for _, before, after in borders]):
        _grow(out, source, rule, borders)
        return
    shown = source
    for dim, places in _shown(rule, source.shape, borders):
        shown = np.take(shown, places, dim)
    np.copyto(out, shown)


def _grow(out: np.ndarray, source: np.ndarray, rule: str, borders: Sequence[Border]) -> None:
    """The same where nothing is cut off: the array in its place, then the border of one dimension after the other."""
    within = [slice(None)] * source.ndim
    for dim, before, _ in borders:
        within[dim] = slice(before, before + source.shape[dim])
    np.copyto(out[tuple(within)], source)
    for dim, before, after in borders:
        within[dim] = slice(None)
        lines, end = np.moveaxis(out[tuple(within)], dim, 0), before + source.shape[dim]
        if rule == "replication":
            lines[:before], lines[end:] = lines[before:before + 1], lines[end - 1:end]
        else:
            lines[:before] = lines[before + 1:2 * before + 1][::-1]
            lines[end:] = lines[end - after - 1:end - 1][::-1]


@silent
def add_borders_back(out: np.ndarray, grad: np.ndarray, rule: str, borders: Sequence[Border]) -> None:
    """Each place of a padded gradient added to the element it showed."""
    if is_half(grad) and grad.size:
        _add_one_by_one(out, grad, rule, borders)
        return
    gathered = grad
    for dim, places in _shown(rule, out.shape, borders[::-1]):
        sums = np.zeros((out.shape[dim], *np.delete(gathered.shape, dim)), gathered.dtype)
        np.add.at(sums, places, np.moveaxis(gathered, dim, 0))
        gathered = np.moveaxis(sums, 0, dim)
    np.copyto(out, gathered)


def _add_one_by_one(out: np.ndarray, grad: np.ndarray, rule: str, borders: Sequence[Border]) -> None:
    """The same in the order of the places, as torch adds: in half precision the order shows."""
    padded = [places for _, places in _shown(rule, out.shape, borders)]
    sums = np.zeros(out.shape, grad.dtype)
    first = out.ndim - len(padded)
    planes, into = grad.reshape(-1, *grad.shape[first:]), sums.reshape(-1, *out.shape[first:])
    index = np.ix_(*padded)
    for plane, total in zip(planes, into):
        np.add.at(total, index, plane)
    np.copyto(out, sums)
