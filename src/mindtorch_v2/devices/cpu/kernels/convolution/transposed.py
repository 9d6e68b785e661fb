"""Convolutions whose results need more than one loop."""

from __future__ import annotations

import numpy as np

from ... import convolution
from ...errstate import silent
from ...half_precision import halves_in_float32


@silent
def transposed_convolution(out: np.ndarray, x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None, *steps) -> None:
    """The gradient of a convolution for its input, taken as a convolution of its own; steps as there."""
    convolution.convolution_input_grad(out, x, weight, *steps, bias)


@silent
@halves_in_float32(outs=1)
def channel_sums(out: np.ndarray, x: np.ndarray) -> None:
    """The sum of each channel over all items and positions."""
    np.sum(x, axis=(0, *range(2, x.ndim)), out=out)
