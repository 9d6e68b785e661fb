"""Borders that continue a tensor: as in a mirror, or with its edges repeated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...errstate import silent

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
    shown = source
    for dim, places in _shown(rule, source.shape, borders):
        shown = np.take(shown, places, dim)
    np.copyto(out, shown)


@silent
def add_borders_back(out: np.ndarray, grad: np.ndarray, rule: str, borders: Sequence[Border]) -> None:
    """Each place of a padded gradient added to the element it showed."""
    gathered = grad
    for dim, places in _shown(rule, out.shape, borders[::-1]):
        sums = np.zeros((out.shape[dim], *np.delete(gathered.shape, dim)), gathered.dtype)
        np.add.at(sums, places, np.moveaxis(gathered, dim, 0))
        gathered = np.moveaxis(sums, 0, dim)
    np.copyto(out, gathered)
