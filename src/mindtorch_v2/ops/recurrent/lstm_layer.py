# cython: annotation_typing=False
"""One layer of an LSTM in one direction as one op, under the name it has in torch, where oneDNN computes it."""

from __future__ import annotations

from ...core.dtype import FLOATING, float64, uint8
from ...core.modes import is_grad_enabled
from ...core.tensor import shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.layout import IN_ORDER, in_order

_PAGE, _LINE = 4096, 64  # bytes of a page, and of a line of the cache
_CONFLICT = 256  # rows a multiple of this long would fall into the same lines
_NUMBER = 4  # bytes of what is always kept in single precision: cells, and gradients of states


def _padded(width: int, itemsize: int) -> int:
    """Rows that begin at a line of the cache."""
    row = _LINE // itemsize
    return -(-width // row) * row


def _spread(width: int, itemsize: int) -> int:
    """The same, and not all at the same one."""
    padded = _padded(width, itemsize)
    return padded + _LINE // itemsize if padded % _CONFLICT == 0 else padded


def workspace_bytes(steps: int, batch: int, inputs: int, hidden: int, itemsize: int = _NUMBER) -> int:
    """As many as oneDNN asks for: gates, states and their gradients for all steps. Ours needs less of it."""
    widest, states, rows = max(inputs, hidden), 2 * (steps + 1) * batch, steps * batch
    parts = [rows * _spread(4 * hidden, itemsize) * itemsize, states * _spread(widest, itemsize) * itemsize,
             states * _spread(hidden, itemsize) * itemsize, states * _spread(hidden, _NUMBER) * _NUMBER,
             states * _padded(widest, _NUMBER) * _NUMBER, states * _padded(widest, _NUMBER) * _NUMBER,
             rows * _spread(hidden, itemsize) * itemsize]
    return sum([-(-part // _PAGE) * _PAGE for part in parts])


class LstmLayer(Op):
    """All hidden states, the last hidden state and cell, and what backward needs."""

    schema = ("mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, "
              "Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, "
              "bool has_biases, bool bidirectional, bool batch_first, bool train) -> (Tensor, Tensor, Tensor, Tensor)")
    grads_of = "input weight0 weight1 weight2 weight3 hx_ cx_"
    no_grad_for = "result3"

    def meta(input, weight0, weight1, weight2, weight3, hx_, cx_, reverse, batch_sizes, mode, hidden_size, *_):
        if input.dtype.category != FLOATING or input.dtype is float64:
            raise RuntimeError("get_mkldnn_dtype: unsupported data type")
        steps, batch, inputs = shape_of(input)
        state = Spec((batch, hidden_size), input.dtype)
        return (Spec((steps, batch, hidden_size), input.dtype), state, state,
                Spec((workspace_bytes(steps, batch, inputs, hidden_size, input.dtype.itemsize),), uint8))

    def body(input, weight0, weight1, weight2, weight3, hx_, cx_, reverse, batch_sizes, mode, hidden_size, num_layers,
             has_biases, bidirectional, batch_first, train):
        steps, batch, inputs = shape_of(input)
        out = aten.empty((steps, batch, hidden_size), dtype=input.dtype)
        hy, cy = [aten.empty((batch, hidden_size), dtype=input.dtype) for _ in range(2)]
        bias = _bias(weight2, weight3, has_biases, hidden_size, input.dtype)
        size = workspace_bytes(steps, batch, inputs, hidden_size, input.dtype.itemsize)
        workspace = aten.empty((size,), dtype=uint8)
        run.lstm_layer(out, hy, cy, workspace, input, weight0, weight1, bias, hx_, cx_, reverse)
        return out, hy, cy, workspace

    def grads(grads, input, weight0, weight1, weight2, weight3, hx_, cx_, reverse, batch_sizes, mode, hidden_size,
              num_layers, has_biases, bidirectional, batch_first, train, result0, result1, result2, result3, needs):
        if is_grad_enabled():
            bias = aten.add(weight2, weight3) if has_biases else None
            return _in_ops(grads, input, weight0, weight1, bias, hx_, cx_, reverse)
        computed = aten.mkldnn_rnn_layer_backward(
            input, weight0, weight1, weight2, weight3, hx_, cx_, result0, result1, result2, grads[0], grads[1],
            grads[2], reverse, mode, hidden_size, num_layers, has_biases, train, bidirectional, batch_sizes,
            batch_first, result3)
        return tuple([grad if needed else None for grad, needed in zip(computed, needs)])  # what nobody needs goes here


def _bias(b_ih, b_hh, has_biases: bool, hidden: int, dtype):
    return aten.add(b_ih, b_hh) if has_biases else aten.zeros((4 * hidden,), dtype=dtype)


class LstmLayerBackward(Op):
    """The gradients of input, weights, biases and first states."""

    schema = ("mkldnn_rnn_layer_backward(Tensor input, Tensor weight1, Tensor weight2, Tensor weight3, Tensor weight4, "
              "Tensor hx_, Tensor cx_tmp, Tensor output, Tensor hy_, Tensor cy_, Tensor? grad_output, Tensor? grad_hy, "
              "Tensor? grad_cy, bool reverse, int mode, int hidden_size, int num_layers, bool has_biases, bool train, "
              "bool bidirectional, int[] batch_sizes, bool batch_first, Tensor workspace) -> "
              "(Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor)")
    internal = "a derivative"
    below = "derivatives of derivatives take another way"

    def body(input, weight1, weight2, weight3, weight4, hx_, cx_tmp, output, hy_, cy_, grad_output, grad_hy, grad_cy,
             reverse, mode, hidden_size, num_layers, has_biases, train, bidirectional, batch_sizes, batch_first,
             workspace):
        grads = [aten.zeros_like(like, memory_format=IN_ORDER) if grad is None else in_order(grad)
                 for grad, like in ((grad_output, output), (grad_hy, hy_), (grad_cy, cy_))]
        _bias(weight3, weight4, has_biases, hidden_size, input.dtype)  # oneDNN wants it here, too
        of_input, of_hx, of_cx, of_w_ih, of_w_hh = [aten.empty(shape_of(like), dtype=input.dtype)
                                                    for like in (input, hx_, cx_tmp, weight1, weight2)]
        of_bias = aten.empty((4 * hidden_size,), dtype=input.dtype)
        run.lstm_layer_backward(of_input, of_w_ih, of_w_hh, of_bias, of_hx, of_cx, *grads, input, weight1, weight2,
                                hx_, cx_tmp, output, workspace, reverse)
        return of_input, of_w_ih, of_w_hh, of_bias, aten.clone(of_bias), of_hx, of_cx


def _one(tensor):
    return aten.rsub(tensor, 1)


def _in_ops(grads, input, w_ih, w_hh, bias, hidden, cell, reverse: bool) -> tuple:
    """The same gradients in ops, which can be differentiated again: the steps once more, and then back."""
    shares = aten.unbind(aten.linear(input, w_ih, bias), 0)
    order = list(range(len(shares)))
    if reverse:
        order.reverse()
    steps = []
    for t in order:
        take, forget, new, show = aten.chunk(aten.add(shares[t], aten.linear(hidden, w_hh)), 4, 1)
        take, forget, new, show = aten.sigmoid(take), aten.sigmoid(forget), aten.tanh(new), aten.sigmoid(show)
        now = aten.add(aten.mul(forget, cell), aten.mul(take, new))
        height = aten.tanh(now)
        steps.append((t, take, forget, new, show, height, hidden, cell))
        hidden, cell = aten.mul(show, height), now
    of_hidden = aten.zeros_like(hidden) if grads[1] is None else grads[1]
    of_cell = aten.zeros_like(cell) if grads[2] is None else grads[2]
    of_gates, of_w_hh = [None] * len(order), None
    for t, take, forget, new, show, height, before, old in reversed(steps):
        if grads[0] is not None:
            of_hidden = aten.add(of_hidden, aten.select(grads[0], 0, t))
        of_cell = aten.add(of_cell, aten.mul(aten.mul(of_hidden, show), _one(aten.mul(height, height))))
        of_gates[t] = aten.cat([
            aten.mul(aten.mul(aten.mul(of_cell, new), take), _one(take)),
            aten.mul(aten.mul(aten.mul(of_cell, old), forget), _one(forget)),
            aten.mul(aten.mul(of_cell, take), _one(aten.mul(new, new))),
            aten.mul(aten.mul(aten.mul(of_hidden, height), show), _one(show))], 1)
        part = aten.mm(aten.t(of_gates[t]), before)
        of_w_hh = part if of_w_hh is None else aten.add(of_w_hh, part)
        of_hidden, of_cell = aten.mm(of_gates[t], w_hh), aten.mul(of_cell, forget)
    flat = aten.cat(of_gates, 0)
    of_bias = aten.sum(flat, (0,))
    of_input = aten.view(aten.mm(flat, w_ih), shape_of(input))
    of_w_ih = aten.mm(aten.t(flat), aten.reshape(input, (-1, shape_of(input)[2])))
    return of_input, of_w_ih, of_w_hh, of_bias, of_bias, of_hidden, of_cell
