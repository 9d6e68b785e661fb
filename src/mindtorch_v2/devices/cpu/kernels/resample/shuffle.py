"""Channels and pixels that change places."""

from __future__ import annotations

import numpy as np

from ...layout import transcribe


def _place(out: np.ndarray, moved: np.ndarray) -> None:
    """Elements in another order of dimensions, some of which the result sees as one."""
    if out.flags.c_contiguous:
        transcribe(out.reshape(moved.shape), moved)
    else:
        out[...] = moved.reshape(out.shape)


def pixel_shuffle(out: np.ndarray, x: np.ndarray, factor: int) -> None:
    """Groups of ``factor`` squared channels, each group as the pixels of a block."""
    *batch, channels, height, width = x.shape
    blocks = x.reshape(*batch, channels // factor**2, factor, factor, height, width)
    axes = len(batch)
    _place(out, blocks.transpose(*range(axes + 1), axes + 3, axes + 1, axes + 4, axes + 2))


def pixel_unshuffle(out: np.ndarray, x: np.ndarray, factor: int) -> None:
    """The pixels of each block as channels: pixel_shuffle backwards."""
    *batch, channels, height, width = x.shape
    blocks = x.reshape(*batch, channels, height // factor, factor, width // factor, factor)
    axes = len(batch)
    _place(out, blocks.transpose(*range(axes + 1), axes + 2, axes + 4, axes + 1, axes + 3))


def channel_shuffle(out: np.ndarray, x: np.ndarray, groups: int) -> None:
    """One channel of each group in turn."""
    batch, channels, *rest = x.shape
    _place(out, x.reshape(batch, groups, channels // groups, *rest).swapaxes(1, 2))
