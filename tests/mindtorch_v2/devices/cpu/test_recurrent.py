"""An LSTM layer, forward and back."""
from __future__ import annotations

import numpy as np
import pytest

LOOSE = {"float32": 2e-5, "float64": 1e-13, "bfloat16": 2**-5}
# time, batch, inputs, hidden; the longest turns its weights around
SIZES = [(3, 2, 4, 5), (1, 1, 1, 1), (9, 4, 3, 16), (0, 2, 3, 2), (2, 0, 3, 2), (2, 2, 0, 2)]


def test_equals_torch(replay, fact):
    replay(fact, of_largest=1e-6)


@pytest.mark.parametrize("steps, batch, inputs, hidden", SIZES)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("with_bias", [False, True])
def test_compiled_equals_reference(agree, kernels, drawn, steps, batch, inputs, hidden, reverse, with_bias, dtype):
    x, w_ih, w_hh = (drawn(shape, dtype) for shape in [(steps, batch, inputs), (4 * hidden, inputs),
                                                       (4 * hidden, hidden)])
    bias = drawn(4 * hidden, dtype) if with_bias else None
    hx, cx, grad_hy, grad_cy = (drawn((batch, hidden), dtype) for _ in range(4))
    out, gates, cells = (np.zeros((steps, batch, width), dtype) for width in (hidden, 4 * hidden, hidden))
    forward = (out, hx.copy(), cx.copy(), gates, cells, x, w_ih, w_hh, bias, hx, cx, reverse)
    agree("lstm", *forward, of_largest=LOOSE[dtype.name])
    kernels.lstm(*forward)
    blank = [np.empty_like(a) for a in (x, w_ih, w_hh)] + [np.empty(4 * hidden, dtype), hx.copy(), cx.copy()]
    agree("lstm_backward", *blank, drawn(out.shape, dtype), grad_hy, grad_cy, x, w_ih, w_hh, hx, cx, out, gates, cells,
          reverse, of_largest=LOOSE[dtype.name])


def test_gradients_are_slopes(kernels, drawn):
    steps, batch, inputs, hidden, step = 4, 2, 3, 2, 1e-6
    leaves = [drawn(shape, np.float64) for shape in [(steps, batch, inputs), (8, inputs), (8, hidden), (8,),
                                                     (batch, hidden), (batch, hidden)]]
    out, hy, cy = (np.empty(shape) for shape in [(steps, batch, hidden), (batch, hidden), (batch, hidden)])
    gates, cells = np.empty((steps, batch, 8)), np.empty_like(out)
    g, gh, gc = drawn(out.shape, np.float64), drawn(hy.shape, np.float64), drawn(cy.shape, np.float64)

    def value() -> float:
        x, w_ih, w_hh, bias, hx, cx = leaves
        kernels.lstm(out, hy, cy, gates, cells, x, w_ih, w_hh, bias, hx, cx, True)
        return float((out * g).sum() + (hy * gh).sum() + (cy * gc).sum())

    value()
    x, w_ih, w_hh, _, hx, cx = leaves
    grads = [np.empty_like(a) for a in leaves]
    kernels.lstm_backward(*grads, g, gh, gc, x, w_ih, w_hh, hx, cx, out.copy(), gates.copy(), cells.copy(), True)
    for leaf, grad in zip(leaves, grads):
        leaf.reshape(-1)[0] += step
        above = value()
        leaf.reshape(-1)[0] -= 2 * step
        np.testing.assert_allclose(grad.reshape(-1)[0], (above - value()) / (2 * step), rtol=1e-6, atol=1e-8)
        leaf.reshape(-1)[0] += step


def test_no_steps_leave_the_states_as_they_were(kernels):
    x, w = np.empty((0, 1, 2), np.float32), np.ones((8, 2), np.float32)
    hx, cx = np.full((1, 2), 3, np.float32), np.full((1, 2), 4, np.float32)
    hy, cy, none = np.empty_like(hx), np.empty_like(cx), np.empty((0, 1, 2), np.float32)
    kernels.lstm(none, hy, cy, np.empty((0, 1, 8), np.float32), none.copy(), x, w, w, None, hx, cx, False)
    assert (hy == 3).all() and (cy == 4).all()
