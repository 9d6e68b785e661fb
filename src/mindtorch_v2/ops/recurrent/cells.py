# cython: annotation_typing=False
"""One step of a recurrent network: tanh, relu, GRU and LSTM cells.

A step goes from a state to the next one; a state is a tuple, of the hidden state alone or, for an LSTM, with the cell.
Layers compute what the input adds to the gates for all steps at once, and then hand a step its share.
"""

from __future__ import annotations

from typing import NamedTuple

from ...core.kinds import holds_many
from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op, declare


class Weights(NamedTuple):
    """What a cell multiplies with and adds; projection is an LSTM's alone."""

    w_ih: object
    w_hh: object
    b_ih: object = None
    b_hh: object = None
    projection: object = None


def from_input(weights: Weights, input):
    """What the input adds to the gates."""
    return aten.linear(input, weights.w_ih, weights.b_ih)


def _from_hidden(weights: Weights, hidden):
    return aten.linear(hidden, weights.w_hh, weights.b_hh)


def _simple(weights: Weights, input, state: tuple, ready: bool):
    gates = _from_hidden(weights, state[0])
    return aten.add_(gates, input if ready else from_input(weights, input))


def tanh_step(weights: Weights, input, state: tuple, ready: bool = True) -> tuple:
    """tanh of what input and hidden state add; ``ready``: the input was multiplied before."""
    return (aten.tanh(_simple(weights, input, state, ready)),)


def relu_step(weights: Weights, input, state: tuple, ready: bool = True) -> tuple:
    """The same with relu."""
    return (aten.relu(_simple(weights, input, state, ready)),)


def gru_step(weights: Weights, input, state: tuple, ready: bool = True) -> tuple:
    """The old state, kept or replaced by a new one as the gates say."""
    hidden = state[0]
    of_input = aten.unsafe_chunk(input if ready else from_input(weights, input), 3, 1)
    of_hidden = aten.unsafe_chunk(_from_hidden(weights, hidden), 3, 1)
    if holds_many(of_input[0]):  # under vmap, only what has memory to itself can become a batch
        of_hidden = [aten.clone(part) for part in of_hidden]
    reset = aten.sigmoid_(aten.add_(of_hidden[0], of_input[0]))
    keep = aten.sigmoid_(aten.add_(of_hidden[1], of_input[1]))
    new = aten.tanh_(aten.add(of_input[2], aten.mul_(of_hidden[2], reset)))
    return (aten.add_(aten.mul_(aten.sub(hidden, new), keep), new),)


def lstm_step(weights: Weights, input, state: tuple, ready: bool = True) -> tuple:
    """A cell that remembers, and the part of it that shows."""
    gates = aten.unsafe_chunk(_simple(weights, input, state, ready), 4, 1)
    take, forget = aten.sigmoid_(gates[0]), aten.sigmoid_(gates[1])
    new, show = aten.tanh_(gates[2]), aten.sigmoid_(gates[3])
    cell = aten.add_(aten.mul(forget, state[1]), aten.mul(take, new))
    hidden = aten.mul(show, aten.tanh(cell))
    if weights.projection is not None:
        hidden = aten.matmul(hidden, aten.t(weights.projection))
    return hidden, cell


def _check_cell(input, states: tuple, w_ih, w_hh) -> None:
    (batch, size), wanted = shape_of(input), shape_of(w_ih)[1]
    if size != wanted:
        raise RuntimeError(f"input has inconsistent input_size: got {size} expected {wanted}")
    for i, state in enumerate(states):
        given, hidden = shape_of(state), shape_of(w_hh)[1]
        if given[0] != batch:
            raise RuntimeError(f"Input batch size {batch} doesn't match hidden{i} batch size {given[0]}")
        if given[1] != hidden:
            raise RuntimeError(f"hidden{i} has inconsistent hidden_size: got {given[1]}, expected {hidden}")


# torch's name, the step, what it is
CELLS = [("rnn_tanh_cell", tanh_step, "One step of an Elman network with tanh."),
         ("rnn_relu_cell", relu_step, "One step of an Elman network with relu."),
         ("gru_cell", gru_step, "One step of a gated recurrent unit.")]


def _declare(name: str, step, doc: str) -> None:
    def body(input, hx, w_ih, w_hh, b_ih, b_hh):
        _check_cell(input, (hx,), w_ih, w_hh)
        return step(Weights(w_ih, w_hh, b_ih, b_hh), input, (hx,), False)[0]

    declare(f"{name}(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> "
            "Tensor", doc, body=body)


for _row in CELLS:
    _declare(*_row)


class LstmCell(Op):
    """One step of a long short-term memory."""

    schema = ("lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> "
              "(Tensor, Tensor)")

    def body(input, hx, w_ih, w_hh, b_ih, b_hh):
        if len(hx) != 2:
            raise RuntimeError("lstm_cell expects two hidden states")
        _check_cell(input, hx, w_ih, w_hh)
        return lstm_step(Weights(w_ih, w_hh, b_ih, b_hh), input, tuple(hx), False)
