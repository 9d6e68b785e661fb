"""Sampling at the places of a grid, on arrays of any layout."""

from __future__ import annotations

import numpy as np

from ... import grid_sample
from ...errstate import silent
from ...layout import compact
from ...reference.grid_sample import grid_sampler_second

Array = np.ndarray


def sample_grid(out: Array, x: Array, grid: Array, interpolation: int, padding: int, align_corners: bool) -> None:
    """``x`` at the places of the grid; interpolation and padding are torch's numbers for them."""
    values = out if out.flags.c_contiguous else np.empty(out.shape, out.dtype)
    grid_sample.grid_sampler(values, compact(x), compact(grid), interpolation, padding, align_corners)
    if values is not out:
        out[...] = values


def sample_grid_backward(grad_x: Array | None, grad_grid: Array, grad_out: Array, x: Array, grid: Array,
                         interpolation: int, padding: int, align_corners: bool) -> None:
    """The gradients of sample_grid; that of ``x`` may be left out."""
    outs = [grad_x, grad_grid]
    ordered = [out if out is None or out.flags.c_contiguous else np.empty(out.shape, out.dtype) for out in outs]
    grid_sample.grid_sampler_backward(*ordered, compact(grad_out), compact(x), compact(grid), interpolation, padding,
                                      align_corners)
    for out, values in zip(outs, ordered):
        if values is not out:
            out[...] = values


@silent
def sample_grid_second(grad_grad: Array, grad_x: Array, grad_grid: Array, *rest) -> None:
    """The gradients of the grid's gradient."""
    grid_sampler_second(grad_grad, grad_x, grad_grid, *[compact(a) if isinstance(a, Array) else a for a in rest])
