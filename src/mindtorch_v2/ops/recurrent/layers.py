# cython: annotation_typing=False
"""Recurrent networks over whole sequences, of one length or packed: layers, both directions, dropout between layers."""

from __future__ import annotations

import functools

from ...core.dtype import bfloat16, float32
from ...core.tensor import shape_of
from ...core.user_warning import warn_user
from ...devices.facts import offers
from ...devices.kernel import ask
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ..shared.layout import in_order
from .cells import Weights, from_input, gru_step, lstm_step, relu_step, tanh_step

_REST = "Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional"
LSTM_MODE = 2  # oneDNN's number for it
_FUSED = (float32, bfloat16)  # types whose LSTM is a fused op of oneDNN's, on machines with wide vectors


def _weights(params, has_biases: bool, projected: bool = False) -> list[Weights]:
    """The parameters of each layer and direction."""
    size = 2 + 2 * has_biases + projected
    if len(params) % size:
        raise RuntimeError("got an incorrect number of RNN parameters")
    groups = [params[i:i + size] for i in range(0, len(params), size)]
    if not projected:
        return [Weights(*group) for group in groups]
    return [Weights(*group[:2], *(group[2:4] if has_biases else (None, None)), group[-1]) for group in groups]


def _check_types(input, params, states) -> None:
    for name, tensor in (("hidden", states[0]), ("parameter", params[0])):
        if tensor.dtype is not input.dtype:
            raise RuntimeError(f"Input and {name} tensors are not the same dtype, found input tensor with "
                               f"{input.dtype.short} and {name} tensor with {tensor.dtype.short}")


def _over_steps(step, weights: Weights, input, state: tuple, reverse: bool) -> tuple:
    """A layer in one direction over sequences of one length: all hidden states, and the last state."""
    shares = aten.unbind(from_input(weights, input), 0)
    outputs = []
    for share in reversed(shares) if reverse else shares:
        state = step(weights, share, state)
        outputs.append(state[0])
    if not outputs:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    if reverse:
        outputs.reverse()
    return aten.stack(outputs, 0), state


def _rows(state: tuple, start: int, stop: int) -> tuple:
    return tuple([aten.narrow(part, 0, start, stop - start) for part in state])


def _over_packed(step, weights: Weights, data, batch_sizes: list[int], state: tuple) -> tuple:
    """The same over a packed batch, which sequences leave when they end."""
    shares, offset, last, outputs, ended = from_input(weights, data), 0, batch_sizes[0], [], []
    for size in batch_sizes:
        share = aten.narrow(shares, 0, offset, size)
        offset += size
        if size < last:
            ended.append(_rows(state, size, last))
            state = _rows(state, 0, size)
        last = size
        state = step(weights, share, state)
        outputs.append(state[0])
    ended.append(state)
    ended.reverse()
    out = aten.cat(outputs, 0)
    return out, tuple([aten.cat(parts, 0) for parts in zip(*ended)])


def _over_packed_reversed(step, weights: Weights, data, batch_sizes: list[int], first: tuple) -> tuple:
    """From the end: sequences join the batch where they begin to be read."""
    shares, offset, last, outputs = from_input(weights, data), shape_of(data)[0], batch_sizes[-1], []
    state = _rows(first, 0, last)
    for size in reversed(batch_sizes):
        if size > last:
            joining = _rows(first, last, size)
            state = tuple([aten.cat([part, new], 0) for part, new in zip(state, joining)])
        last, offset = size, offset - size
        state = step(weights, aten.narrow(shares, 0, offset, size), state)
        outputs.append(state[0])
    outputs.reverse()
    return aten.cat(outputs, 0), state


def _stacked(one_way, step, input, states: list, weights: list, num_layers: int, dropout: float, train: bool,
             bidirectional: bool) -> tuple:
    """All layers, one after the other; the last states of each layer and direction."""
    ways, last = 1 + bidirectional, []
    for layer in range(num_layers):
        outputs = []
        for way in range(ways):
            at = layer * ways + way
            output, state = one_way(step, weights[at], input, states[at], way == 1)
            outputs.append(output)
            last.append(state)
        input = aten.cat(outputs, -1) if bidirectional else outputs[0]
        if dropout and train and layer < num_layers - 1:
            input = aten.dropout(input, dropout, True)
    return input, last


def _over(batch_sizes):
    """How a layer reads its input in one direction."""
    if batch_sizes is None:
        return _over_steps
    sizes = ask.tolist(batch_sizes)

    def one_way(step, weights, data, state, reverse):
        return (_over_packed_reversed if reverse else _over_packed)(step, weights, data, sizes, state)
    return one_way


def _run(step, input, batch_sizes, states: tuple, weights, num_layers, dropout, train, bidirectional, batch_first):
    """Outputs, and the last states, stacked by layer and direction."""
    x = aten.transpose(input, 0, 1) if batch_first else input
    each = list(zip(*[aten.unbind(part, 0) for part in states]))
    out, last = _stacked(_over(batch_sizes), step, x, each, weights, num_layers, dropout, train, bidirectional)
    finals = [aten.stack(parts, 0) for parts in zip(*last)]
    if batch_first:
        aten.transpose_(out, 0, 1)
    return (out, *finals)


def _declare(name: str, step, doc: str) -> None:
    def whole(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
        _check_types(input, params, (hx,))
        return _run(step, input, None, (hx,), _weights(params, has_biases), num_layers, dropout, train, bidirectional,
                    batch_first)

    def packed(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional):
        _check_types(data, params, (hx,))
        return _run(step, data, batch_sizes, (hx,), _weights(params, has_biases), num_layers, dropout, train,
                    bidirectional, False)

    declare(f"{name}.input(Tensor input, Tensor hx, {_REST}, bool batch_first) -> (Tensor, Tensor)", doc, body=whole)
    declare(f"{name}.data(Tensor data, Tensor batch_sizes, Tensor hx, {_REST}) -> (Tensor, Tensor)", doc, body=packed)


for _name, _step, _doc in (("rnn_tanh", tanh_step, "An Elman network with tanh."),
                           ("rnn_relu", relu_step, "An Elman network with relu."),
                           ("gru", gru_step, "A network of gated recurrent units.")):
    _declare(_name, _step, _doc)


@functools.cache
def _say_once() -> None:
    warn_user("LSTM with projections is not supported with oneDNN. Using default implementation.")


def _is_projected(hx) -> bool:
    return shape_of(hx[0])[2] != shape_of(hx[1])[2]


def _fused(input, hx, weights: list[Weights], has_biases, num_layers, dropout, train, bidirectional, batch_first):
    """An LSTM in single precision or bfloat16: each layer and direction is one op, as with torch's oneDNN."""
    x = aten.transpose(input, 0, 1) if batch_first else input
    if shape_of(x)[0] == 0:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    x, ways, hidden, cells = in_order(x), 1 + bidirectional, [], []
    for layer in range(num_layers):
        outputs = []
        for way in range(ways):
            at = layer * ways + way
            w_ih, w_hh, b_ih, b_hh, _ = weights[at]
            h, c = aten.select(hx[0], 0, at), aten.select(hx[1], 0, at)
            if not has_biases:
                b_hh, b_ih = [aten.zeros(shape_of(w), dtype=w.dtype) for w in (w_hh, w_ih)]
            out, hy, cy, _ = aten.mkldnn_rnn_layer(
                x, w_ih, w_hh, b_ih, b_hh, h, c, way == 1, (), LSTM_MODE, shape_of(w_hh)[1], num_layers, has_biases,
                bidirectional, batch_first, train)
            outputs.append(out)
            hidden.append(hy)
            cells.append(cy)
        x = aten.cat(outputs, -1) if bidirectional else outputs[0]
        if dropout and train and layer < num_layers - 1:
            x = aten.dropout(x, dropout, True)
    hy, cy = aten.stack(hidden, 0), aten.stack(cells, 0)
    return aten.transpose(x, 0, 1) if batch_first else x, hy, cy


class Lstm(Op):
    """A network of long short-term memories."""

    schema = f"lstm.input(Tensor input, Tensor[] hx, {_REST}, bool batch_first) -> (Tensor, Tensor, Tensor)"

    def body(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first):
        if len(hx) != 2:
            raise RuntimeError("lstm expects two hidden states")
        fused = input.dtype in _FUSED and offers(input, "lstm_layer")
        projected = _is_projected(hx)
        if fused and not projected:
            _check_types(input, params, hx)
            return _fused(input, hx, _weights(params, has_biases), has_biases, num_layers, dropout, train,
                          bidirectional, batch_first)
        if fused:
            _say_once()
        _check_types(input, params, hx)
        return _run(lstm_step, input, None, tuple(hx), _weights(params, has_biases, projected), num_layers, dropout,
                    train, bidirectional, batch_first)


class LstmPacked(Op):
    """The same over packed sequences."""

    schema = f"lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, {_REST}) -> (Tensor, Tensor, Tensor)"

    def body(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional):
        if len(hx) != 2:
            raise RuntimeError("lstm expects two hidden states")
        _check_types(data, params, hx)
        return _run(lstm_step, data, batch_sizes, tuple(hx), _weights(params, has_biases, _is_projected(hx)),
                    num_layers, dropout, train, bidirectional, False)
