"""Convolutions of images whose channels come first or last in memory: NumPy does not mind which."""

from __future__ import annotations

import numpy as np

from . import convolution as of_any_order

Numbers = tuple[int, ...]


def convolution(out: np.ndarray, x: np.ndarray, weight: np.ndarray, stride: Numbers, padding: Numbers,
                dilation: Numbers, groups: int) -> None:
    """Each output channel is a weighted sum of what the kernel sees in the channels of its group."""
    of_any_order.convolution(out, x, weight, None, stride, padding, dilation, groups)


def convolution_input_grad(grad_input: np.ndarray, grad_output: np.ndarray, weight: np.ndarray, stride: Numbers,
                           padding: Numbers, dilation: Numbers, groups: int) -> None:
    """What each input element is given back by the positions that saw it."""
    of_any_order.convolution_input_grad(grad_input, grad_output, weight, stride, padding, dilation, groups)
