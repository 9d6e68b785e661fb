# cython: annotation_typing=False
"""The rows of what torch lays down before it resamples: which inputs count for each output, and their weights.

The compiled kernels have tables of their own; these are made because torch's profile shows them and their bytes.
"""

from __future__ import annotations

from math import ceil

from ...core.dtype import float32, float64, int64, uint8
from ...core.geometry import contiguous_strides
from ...core.tensor import ndim_of, shape_of, strides_of
from ...dispatch.aten import aten

RANGES = 3  # where an output's inputs begin, how many they are, where their weights begin


def _stretched(source, shape, dims) -> None:
    """An input seen with the size of the result, without a step along the dimensions that are resampled."""
    strides = tuple([0 if dim in dims else step for dim, step in enumerate(strides_of(source))])
    aten.as_strided(source, shape, strides)


def _along(ndim: int, dim: int, count: int) -> tuple[int, ...]:
    return tuple([count if d == dim else 1 for d in range(ndim)])


def show_taps(out, self, taps: int) -> list:
    """A table of places and one of weights, for every tap of every dimension; a single tap always weighs one."""
    dims = range(2, ndim_of(self))
    _stretched(self, shape_of(out), dims)
    dtype = float32 if self.dtype is uint8 else self.dtype
    tables = []
    for dim in dims:
        shape = _along(ndim_of(self), dim, shape_of(out)[dim])
        for _ in range(taps):
            tables.append(aten.empty(shape, dtype=int64))
            tables.append(aten.ones(shape, dtype=dtype) if taps == 1 else aten.empty(shape, dtype=dtype))
    return tables


def taps_along(reach: int, size: int, count: int, align_corners: bool, scale: float) -> int:
    """How many inputs count for an output, at most, where a kernel is as wide as what an output stands for."""
    if align_corners:
        step = (size - 1) / (count - 1) if count > 1 else 0
    else:
        step = 1 / scale if scale > 0 else size / count
    return ceil(reach * max(step, 1)) * 2 + 1


def show_ranges(ndim: int, dim: int, count: int, taps: int, dtype) -> list:
    """For each output along a dimension, the range of its inputs and a weight for each of them."""
    shape, weights = _along(ndim, dim, count), _along(ndim, dim, count * taps)
    tables = [aten.empty(shape, dtype=int64) for _ in range(RANGES)]
    tables.append(aten.empty(weights, dtype=dtype))
    strides = [0 if d == dim else step for d, step in enumerate(contiguous_strides(weights))]
    aten.as_strided(tables[-1], shape, tuple(strides))
    tables.append(aten.empty(shape, dtype=int64))
    return tables


def show_passes(out, self, taps: list[int], weight_dtype) -> None:
    """The dimensions that change size, the last one first, each with its tables and, but for the last, a result."""
    ndim, sizes, source = ndim_of(self), shape_of(out), self
    dims = [dim for dim in range(ndim - 1, 1, -1) if shape_of(self)[dim] != sizes[dim]]
    kept = []
    for dim in dims:
        shape = tuple([sizes[d] if d == dim else n for d, n in enumerate(shape_of(source))])
        into = aten.empty(shape, dtype=self.dtype) if dim != dims[-1] else out
        _stretched(source, shape, (dim,))
        kept += [into, *show_ranges(ndim, dim, sizes[dim], taps[dim - 2], weight_dtype)]
        source = into


PACKED = 4  # channels of a pixel in a register
PLAIN_PIXELS = (3, 4)  # channels that need no packing where they lie last


def show_packed_passes(out, self, taps: list[int], last: tuple[bool, bool]) -> None:
    """The same for images of up to four channels, whose pixels go through registers.

    Pixels are packed to four bytes first and unpacked afterwards, unless they lie one after the other in memory, the
    input's or the result's, which ``last`` tells.
    """
    batch, channels, height, width = shape_of(self)
    out_height, out_width = shape_of(out)[2:]
    is_plain = [lies and channels in PLAIN_PIXELS for lies in last]
    held = channels if is_plain[0] else PACKED
    kept = []
    for dim in (3, 2):
        if shape_of(out)[dim] != shape_of(self)[dim]:
            kept += show_ranges(4, dim, shape_of(out)[dim], taps[dim - 2], float64)
    if out_width != width and (out_height != height or not is_plain[1]):
        kept.append(aten.empty((held, height, out_width), dtype=self.dtype))
    if out_height != height and not is_plain[1]:
        kept.append(aten.empty((held, out_height, out_width), dtype=self.dtype))
    for item in range(batch):
        aten.select(self, 0, item)
        packed = None if is_plain[0] else aten.empty((PACKED, height, width), dtype=self.dtype)
        aten.select(out, 0, item)
        del packed
