# cython: annotation_typing=False
"""Resampling on planes, or on pixels whose channels lie last: compiled loops want either in C order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ... import interpolation
from ...layout import compact

LEFT_ALONE = -1.0  # as a factor: nothing happens along this dimension
IMAGE_DIMS = 4


def _as_pixels(array: np.ndarray) -> np.ndarray | None:
    """Images whose channels lie last, as an array in C order; None for others."""
    if array.ndim != IMAGE_DIMS:
        return None
    pixels = array.transpose(0, 2, 3, 1)
    return pixels if pixels.flags.c_contiguous else None


def _in_any_order(kernel: Callable) -> Callable:
    """The kernel ``(out, x, …, scales)`` on arrays of any layout."""
    def ordered(out: np.ndarray, x: np.ndarray, *rest) -> None:
        if x.flags.c_contiguous and out.flags.c_contiguous:
            return kernel(out, x, *rest)
        out_pixels, x_pixels = _as_pixels(out), _as_pixels(x)
        if out_pixels is not None and x_pixels is not None:
            *corners, scales = rest
            return kernel(out_pixels, x_pixels, *corners, (*scales, LEFT_ALONE))
        planes = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
        kernel(planes, compact(x), *rest)
        if planes is not out:
            out[...] = planes
    return ordered


upsample_nearest = _in_any_order(interpolation.upsample_nearest)
upsample_nearest_backward = _in_any_order(interpolation.upsample_nearest_backward)
upsample_nearest_exact = _in_any_order(interpolation.upsample_nearest_exact)
upsample_nearest_exact_backward = _in_any_order(interpolation.upsample_nearest_exact_backward)
upsample_linear = _in_any_order(interpolation.upsample_linear)
upsample_linear_backward = _in_any_order(interpolation.upsample_linear_backward)
upsample_cubic = _in_any_order(interpolation.upsample_cubic)
upsample_cubic_backward = _in_any_order(interpolation.upsample_cubic_backward)
upsample_linear_smooth = _in_any_order(interpolation.upsample_linear_smooth)
upsample_linear_smooth_backward = _in_any_order(interpolation.upsample_linear_smooth_backward)
upsample_cubic_smooth = _in_any_order(interpolation.upsample_cubic_smooth)
upsample_cubic_smooth_backward = _in_any_order(interpolation.upsample_cubic_smooth_backward)
upsample_lanczos_smooth = _in_any_order(interpolation.upsample_lanczos_smooth)
upsample_lanczos_smooth_backward = _in_any_order(interpolation.upsample_lanczos_smooth_backward)
upsample_bytes = _in_any_order(interpolation.upsample_bytes)
