"""Features of regions: averages of samples between pixels (roi_align), and largest pixels (roi_pool)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...core.tensor import Tensor
from ...ops.python.construct import from_numpy


def _line_weights(start: np.ndarray, bins: int, length: float, samples: int, size: int) -> np.ndarray:
    """How much each of ``size`` pixels of a line gives to each bin: samples lie between pixels, and are averaged."""
    kind = start.dtype.type
    step = kind(length) / kind(bins)
    within = (np.arange(samples, dtype=kind) + kind(0.5)) * step / kind(max(samples, 1))
    at = start + step * np.arange(bins, dtype=kind)[:, None] + within
    inside = (at >= -1) & (at <= size)
    at = np.clip(at, 0, size - 1)
    low = at.astype(np.int64)
    high = np.minimum(low + 1, size - 1)
    share = at - low
    weights = np.zeros((bins, size), start.dtype)
    rows = np.arange(bins)[:, None]
    np.add.at(weights, (rows, low), (1 - share) * inside)
    np.add.at(weights, (rows, high), share * inside)
    return weights / kind(max(samples, 1))


def align_weights(rois: Tensor, height: int, width: int, scale: float, pooled: tuple[int, int], sampling_ratio: int,
                  aligned: bool) -> Iterator[tuple[int, Tensor, Tensor]]:
    """For each region its image and two matrices: bins by rows of pixels, and bins by columns."""
    for box in rois.detach().numpy():
        kind = box.dtype.type
        left, top, right, bottom = box[1:] * kind(scale) - kind(0.5 if aligned else 0)
        weights = []
        for first, last, bins, size in ((top, bottom, pooled[0], height), (left, right, pooled[1], width)):
            length = last - first if aligned else max(last - first, kind(1))
            samples = sampling_ratio if sampling_ratio > 0 else math.ceil(length / bins)
            weights.append(from_numpy(_line_weights(np.asarray(first), bins, length, max(samples, 0), size)))
        yield int(box[0]), *weights


def largest(input: Tensor, rois: Tensor, scale: float, pooled: tuple[int, int]) -> tuple[Tensor, Tensor]:
    """The largest pixel of each bin of each region, and its place in the image; -1 and zero where a bin is empty."""
    pixels, (channels, height, width) = input.detach().numpy(), input.shape[1:]
    values = np.zeros((len(rois), channels, *pooled), pixels.dtype)
    places = np.full(values.shape, -1, np.int32)
    for region, box in enumerate(rois.detach().numpy()):
        left, top, right, bottom = (math.copysign(math.floor(abs(v) + 0.5), v) for v in (box[1:] * scale).tolist())
        rows = _bins(top, bottom, pooled[0], height)
        columns = _bins(left, right, pooled[1], width)
        for i, (y0, y1) in enumerate(rows):
            for j, (x0, x1) in enumerate(columns):
                if y1 <= y0 or x1 <= x0:
                    continue
                part = pixels[int(box[0]), :, y0:y1, x0:x1].reshape(channels, -1)
                best = part.argmax(1)
                values[region, :, i, j] = part[np.arange(channels), best]
                places[region, :, i, j] = (y0 + best // (x1 - x0)) * width + x0 + best % (x1 - x0)
    return from_numpy(values), from_numpy(places)


def _bins(first: float, last: float, bins: int, size: int) -> list[tuple[int, int]]:
    """Where each bin of a line begins and ends, in pixels that exist."""
    step = max(last - first + 1, 1) / bins
    return [(min(max(math.floor(i * step) + int(first), 0), size),
             min(max(math.ceil((i + 1) * step) + int(first), 0), size))
            for i in range(bins)]
