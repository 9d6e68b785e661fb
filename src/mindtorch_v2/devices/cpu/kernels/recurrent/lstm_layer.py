# cython: annotation_typing=False
"""A layer of an LSTM over all time steps; what backward needs is kept in a workspace of bytes."""

from __future__ import annotations

import numpy as np

from ... import recurrent
from ...errstate import silent


def _kept(workspace: np.ndarray, x: np.ndarray, hidden: int) -> tuple[np.ndarray, np.ndarray]:
    """The gates and the cells of every step, in a workspace that is at least as large."""
    steps, batch = x.shape[:2]
    numbers = workspace[:5 * steps * batch * hidden * x.itemsize].view(x.dtype).reshape(5, steps * batch * hidden)
    return numbers[:4].reshape(steps, batch, 4 * hidden), numbers[4].reshape(steps, batch, hidden)


@silent
def lstm_layer(out, hy, cy, workspace, x, w_ih, w_hh, bias, hx, cx, reverse: bool) -> None:
    """All hidden states, the last hidden state and the last cell."""
    inputs = [np.ascontiguousarray(a) for a in (x, w_ih, w_hh, bias, hx, cx)]
    recurrent.lstm(out, hy, cy, *_kept(workspace, x, w_hh.shape[1]), *inputs, reverse)


@silent
def lstm_layer_backward(grad_x, grad_w_ih, grad_w_hh, grad_bias, grad_hx, grad_cx, grad_out, grad_hy, grad_cy, x, w_ih,
                        w_hh, hx, cx, out, workspace, reverse: bool) -> None:
    """The gradients of everything that went in."""
    inputs = [np.ascontiguousarray(a) for a in (grad_out, grad_hy, grad_cy, x, w_ih, w_hh, hx, cx, out)]
    recurrent.lstm_backward(grad_x, grad_w_ih, grad_w_hh, grad_bias, grad_hx, grad_cx, *inputs,
                            *_kept(workspace, x, w_hh.shape[1]), reverse)
