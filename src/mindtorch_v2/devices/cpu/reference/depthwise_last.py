"""Convolutions with a kernel for each channel; NumPy does not mind how images lie in memory."""

from __future__ import annotations

import numpy as np

from . import convolution as of_any_groups

Numbers = tuple[int, ...]


def convolution(out: np.ndarray, x: np.ndarray, weight: np.ndarray, stride: Numbers, padding: Numbers,
                dilation: Numbers) -> None:
    """Each channel is a weighted sum of what its kernel sees in it."""
    of_any_groups.convolution(out, x, weight, None, stride, padding, dilation, x.shape[1])


def convolution_input_grad(grad_input: np.ndarray, grad_output: np.ndarray, weight: np.ndarray, stride: Numbers,
                           padding: Numbers, dilation: Numbers) -> None:
    """What each input element is given back by the positions that saw it."""
    of_any_groups.convolution_input_grad(grad_input, grad_output, weight, stride, padding, dilation,
                                         grad_input.shape[1])


def convolution_weight_grad(grad_weight: np.ndarray, grad_output: np.ndarray, x: np.ndarray, stride: Numbers,
                            padding: Numbers, dilation: Numbers) -> None:
    """What each weight is given back, by every position of every item."""
    of_any_groups.convolution_weight_grad(grad_weight, grad_output, x, stride, padding, dilation, x.shape[1])
