"""One layer of an LSTM in one direction over all time steps.

x is (time, batch, inputs), weights are (4 hidden, inputs) and (4 hidden, hidden), gates (time, batch, 4 hidden), their
order: input, forget, cell, output. Only this layer is one op in torch; other recurrent layers are made of smaller ones.
"""
from __future__ import annotations

import numpy as np

from ..half_precision import halves_in_float32

Array = np.ndarray
Maybe = np.ndarray | None


def _logistic(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


@halves_in_float32(outs=5)
def lstm(out: Array, hy: Array, cy: Array, gates: Array, cells: Array, x: Array, w_ih: Array, w_hh: Array, bias: Maybe,
         hx: Array, cx: Array, reverse: bool) -> None:
    """All hidden states, the last hidden state and cell; gates and cells of each step are kept for backward."""
    steps, batch, hidden = x.shape[0], x.shape[1], w_hh.shape[1]
    states, kept_cells = out.reshape(steps, batch, hidden), cells.reshape(steps, batch, hidden)
    kept_gates = gates.reshape(steps, batch, 4 * hidden)
    h, c = hx.reshape(batch, hidden), cx.reshape(batch, hidden)
    for t in reversed(range(steps)) if reverse else range(steps):
        sums = x[t] @ w_ih.T + h @ w_hh.T
        i, f, g, o = np.split(sums if bias is None else sums + bias.reshape(4 * hidden), 4, axis=1)
        i, f, g, o = _logistic(i), _logistic(f), np.tanh(g), _logistic(o)
        c = f * c + i * g
        h = o * np.tanh(c)
        states[t], kept_cells[t], kept_gates[t] = h, c, np.concatenate([i, f, g, o], axis=1)
    hy[...], cy[...] = h.reshape(hy.shape), c.reshape(cy.shape)


@halves_in_float32(outs=6)
def lstm_backward(grad_x: Array, grad_w_ih: Array, grad_w_hh: Array, grad_bias: Array, grad_hx: Array, grad_cx: Array,
                  grad_out: Array, grad_hy: Array, grad_cy: Array, x: Array, w_ih: Array, w_hh: Array, hx: Array,
                  cx: Array, out: Array, gates: Array, cells: Array, reverse: bool) -> None:
    """Gradients of lstm for x, the weights, the bias and the first states."""
    steps, batch, hidden = x.shape[0], x.shape[1], w_hh.shape[1]
    grads, states, kept_cells = (a.reshape(steps, batch, hidden) for a in (grad_out, out, cells))
    first_h, first_c, gh, gc = (a.reshape(batch, hidden) for a in (hx, cx, grad_hy, grad_cy))
    for target in (grad_w_ih, grad_w_hh, grad_bias):
        target[...] = 0
    order = range(steps) if reverse else range(steps)[::-1]
    for t in order:
        before = t + 1 if reverse else t - 1
        old_h, old_c = (first_h, first_c) if not 0 <= before < steps else (states[before], kept_cells[before])
        i, f, g, o = np.split(gates.reshape(steps, batch, 4 * hidden)[t], 4, axis=1)
        height, gh = np.tanh(kept_cells[t]), gh + grads[t]
        gc = gc + gh * o * (1 - height * height)
        to_gates = np.concatenate([gc * g * i * (1 - i), gc * old_c * f * (1 - f), gc * i * (1 - g * g),
                                   gh * height * o * (1 - o)], axis=1)
        gc, gh = gc * f, to_gates @ w_hh
        grad_x[t] = to_gates @ w_ih
        grad_w_ih += to_gates.T @ x[t]
        grad_w_hh += to_gates.T @ old_h
        grad_bias += to_gates.sum(axis=0).reshape(grad_bias.shape)
    grad_hx[...], grad_cx[...] = gh.reshape(grad_hx.shape), gc.reshape(grad_cx.shape)
