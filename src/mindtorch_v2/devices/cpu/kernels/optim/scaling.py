"""Scaled gradients: back to their own size, and the scale for the next step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errstate import silent
from ...half_precision import widened


@silent
def unscale_and_check(grads: Sequence[np.ndarray], found_inf: np.ndarray, inv_scale: np.ndarray) -> None:
    """Multiply gradients where they lie; note one that was not finite before."""
    factor = inv_scale.item()
    for grad in grads:
        wide = widened(grad)
        if not np.isfinite(wide).all():
            found_inf[...] = 1
        if factor != 1:
            np.copyto(grad, wide * wide.dtype.type(factor), casting="unsafe")


@silent
def update_scale(scale: np.ndarray, tracker: np.ndarray, found_inf: np.ndarray, growth: float, backoff: float,
                 interval: int) -> None:
    """Back off after a value that was not finite, grow after ``interval`` steps without, unless that is infinite."""
    if found_inf.item():
        scale[...] = scale.item() * backoff
        tracker[...] = 0
    elif tracker.item() + 1 == interval:
        grown = np.float32(scale.item() * growth)
        if np.isfinite(grown):
            scale[...] = grown
        tracker[...] = 0
    else:
        tracker += 1
