"""Recurrent layers: RNN, LSTM and GRU, over tensors and packed sequences."""

from __future__ import annotations

import math
import numbers
import warnings
import weakref

from ...core.tensor import Tensor
from ...dispatch.aten import aten
from .. import init
from ..parameter import Parameter, empty
from ..utils.rnn import PackedSequence
from .module import Module
from .rnn_cell import GRUCell, LSTMCell, RNNCell, RNNCellBase  # noqa: F401  torch's address

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def permuted(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    """Sequences of a batch in another order."""
    return tensor.index_select(dim, permutation)


class RNNBase(Module):
    """What recurrent layers have in common: their parameters, and checks of what they are given."""

    __constants__ = ["mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout",
                     "bidirectional", "proj_size"]
    __jit_unused_properties__ = ["all_weights"]
    mode: str
    input_size: int
    hidden_size: int
    num_layers: int
    bias: bool
    batch_first: bool
    dropout: float
    bidirectional: bool
    proj_size: int

    def __init__(self, mode: str, input_size: int, hidden_size: int, num_layers: int = 1, bias: bool = True,
                 batch_first: bool = False, dropout: float = 0.0, bidirectional: bool = False, proj_size: int = 0,
                 device=None, dtype=None) -> None:
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = dropout
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        _check_settings(self)
        self._flat_weights_names: list[str] = []
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            for way in range(1 + bidirectional):
                self._add_layer(layer, way, device, dtype)
        self._init_flat_weights()
        self.reset_parameters()

    def _add_layer(self, layer: int, way: int, device, dtype) -> None:
        shown = self.proj_size or self.hidden_size
        inputs = self.input_size if layer == 0 else shown * (1 + self.bidirectional)
        gates, suffix = GATES[self.mode] * self.hidden_size, f"_l{layer}" + ("_reverse" if way else "")
        shapes = {"weight_ih": (gates, inputs), "weight_hh": (gates, shown)}
        if self.bias:
            shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
        if self.proj_size:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        names = [name + suffix for name in shapes]
        for name, shape in zip(names, shapes.values()):
            setattr(self, name, Parameter(empty(shape, device=device, dtype=dtype)))
        self._flat_weights_names.extend(names)
        self._all_weights.append(names)

    def _init_flat_weights(self) -> None:
        self._flat_weights = [getattr(self, name, None) for name in self._flat_weights_names]
        self._flat_weight_refs = [None if w is None else weakref.ref(w) for w in self._flat_weights]
        self.flatten_parameters()

    def __setattr__(self, attr: str, value) -> None:
        names = self.__dict__.get("_flat_weights_names", ())
        if attr in names and "_flat_weights" in self.__dict__:
            self._flat_weights[names.index(attr)] = value
        super().__setattr__(attr, value)

    def flatten_parameters(self) -> None:
        """Nothing: only cuDNN wants the parameters in one piece."""

    def _apply(self, fn, recurse: bool = True):
        self._flat_weight_refs = []
        applied = super()._apply(fn, recurse)
        self._init_flat_weights()
        return applied

    def reset_parameters(self) -> None:
        """Draw new weights, uniform within ``1/sqrt(hidden_size)``."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """Input of the weights' type, with the dimensions and the size that the layer takes."""
        wanted = self._flat_weights[0].dtype
        if input.dtype != wanted:
            raise ValueError(f"RNN input dtype ({input.dtype}) does not match weight dtype ({wanted}). Convert input: "
                             f"input.to({wanted}), or convert model: model.to({input.dtype})")
        dims = 2 if batch_sizes is not None else 3
        if input.dim() != dims:
            raise RuntimeError(f"input must have {dims} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError("input.size(-1) must be equal to input_size. "
                               f"Expected {self.input_size}, got {input.size(-1)}")

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """The shape of a hidden state."""
        batch = int(batch_sizes[0]) if batch_sizes is not None else input.size(0 if self.batch_first else 1)
        return self.num_layers * (1 + self.bidirectional), batch, self.proj_size or self.hidden_size

    def check_hidden_size(self, hx: Tensor, expected_hidden_size: tuple[int, int, int],
                          msg: str = "Expected hidden size {}, got {}") -> None:
        """A hidden state of that shape."""
        if hx.size() != expected_hidden_size:
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input: Tensor, hidden: Tensor, batch_sizes: Tensor | None) -> None:
        """Everything that forward() is given."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation: Tensor | None):
        """A state in the order of sorted sequences."""
        return hx if permutation is None else permuted(hx, permutation)

    def extra_repr(self) -> str:
        shown = [f"{self.input_size}, {self.hidden_size}"]
        plain = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0,
                 "bidirectional": False}
        shown += [f"{name}={getattr(self, name)}" for name, usual in plain.items() if getattr(self, name) != usual]
        return ", ".join(shown)

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def __getstate__(self) -> dict:
        state = self.__dict__.copy()
        state.pop("_flat_weight_refs", None)
        return state

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        self._init_flat_weights()

    def _zeros(self, batch: int, size: int, like: Tensor) -> Tensor:
        return aten.zeros((self.num_layers * (1 + self.bidirectional), batch, size), dtype=like.dtype,
                          device=like.device)

    def _rest(self) -> tuple:
        return self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional

    def _check_dims(self, input: Tensor) -> bool:
        """Whether the input is a batch."""
        if input.dim() not in (2, 3):
            raise ValueError(f"{self._get_name()}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        return input.dim() == 3


def _check_settings(net: RNNBase) -> None:
    if not isinstance(net.dropout, numbers.Number) or not 0 <= net.dropout <= 1 or isinstance(net.dropout, bool):
        raise ValueError("dropout should be a number in range [0, 1] representing the probability of an element being "
                         "zeroed")
    if net.dropout > 0 and net.num_layers == 1:
        warnings.warn("dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                      f"num_layers greater than 1, but got dropout={net.dropout} and num_layers={net.num_layers}",
                      stacklevel=4)
    net.dropout = float(net.dropout)
    for name, kind in (("bias", bool), ("batch_first", bool), ("input_size", int), ("hidden_size", int)):
        value = getattr(net, name)
        if not isinstance(value, kind):
            raise TypeError(f"{name} should be of type {kind.__name__}, got: {type(value).__name__}")
        if kind is int and value <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if net.num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if net.proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if net.proj_size >= net.hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")
    if net.mode not in GATES:
        raise ValueError("Unrecognized RNN mode: " + net.mode)


class _OneState(RNNBase):
    """Layers whose state is one tensor."""

    _NO_PROJECTION = "proj_size argument is only supported for LSTM, not RNN or GRU"

    def _op(self):
        return aten.gru

    def forward(self, input, hx: Tensor | None = None):
        packed = isinstance(input, PackedSequence)
        if packed:
            return self._forward_packed(input, hx)
        is_batched, batch_dim = self._check_dims(input), 0 if self.batch_first else 1
        if not is_batched:
            input = input.unsqueeze(batch_dim)
        if hx is not None:
            if hx.dim() != 2 + is_batched:
                kind = "For batched 3-D input" if is_batched else "For unbatched 2-D input"
                raise RuntimeError(f"{kind}, hx should also be {2 + is_batched}-D but got {hx.dim()}-D tensor")
            if not is_batched:
                hx = hx.unsqueeze(1)
        else:
            hx = self._zeros(input.size(0 if self.batch_first else 1), self.hidden_size, input)
        self.check_forward_args(input, hx, None)
        output, hidden = self._op()(input, hx, *self._rest(), self.batch_first)
        return (output, hidden) if is_batched else (output.squeeze(batch_dim), hidden.squeeze(1))

    def _forward_packed(self, packed: PackedSequence, hx: Tensor | None):
        data, batch_sizes, sorted_indices, unsorted_indices = packed
        batch = batch_sizes[0]
        hx = self._zeros(int(batch), self.hidden_size, data) if hx is None else self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(data, hx, batch_sizes)
        output, hidden = self._op()(data, batch_sizes, hx, *self._rest())
        return (PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices),
                self.permute_hidden(hidden, unsorted_indices))


class RNN(_OneState):
    """An Elman network with tanh or relu."""

    def __init__(self, *args, **kwargs) -> None:
        if "proj_size" in kwargs:
            raise ValueError(self._NO_PROJECTION)
        nonlinearity = args[3] if len(args) > 3 else kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(f"RNN_{nonlinearity.upper()}", *args[:3], *args[4:], **kwargs)
        self.nonlinearity = nonlinearity

    def _op(self):
        return aten.rnn_tanh if self.mode == "RNN_TANH" else aten.rnn_relu


class GRU(_OneState):
    """A network of gated recurrent units."""

    def __init__(self, *args, **kwargs) -> None:
        if "proj_size" in kwargs:
            raise ValueError(self._NO_PROJECTION)
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """A network of long short-term memories; with ``proj_size`` it shows less than it remembers."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """The shape of a cell."""
        return *self.get_expected_hidden_size(input, batch_sizes)[:2], self.hidden_size

    def check_forward_args(self, input: Tensor, hidden: tuple[Tensor, Tensor], batch_sizes: Tensor | None) -> None:
        """Everything that forward() is given."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden[0], self.get_expected_hidden_size(input, batch_sizes),
                               "Expected hidden[0] size {}, got {}")
        self.check_hidden_size(hidden[1], self.get_expected_cell_size(input, batch_sizes),
                               "Expected hidden[1] size {}, got {}")

    def permute_hidden(self, hx: tuple[Tensor, Tensor], permutation: Tensor | None) -> tuple[Tensor, Tensor]:
        """A state in the order of sorted sequences."""
        return hx if permutation is None else (permuted(hx[0], permutation), permuted(hx[1], permutation))

    def forward(self, input, hx: tuple[Tensor, Tensor] | None = None):
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        is_batched, batch_dim = self._check_dims(input), 0 if self.batch_first else 1
        if not is_batched:
            input = input.unsqueeze(batch_dim)
        if hx is None:
            batch = input.size(0 if self.batch_first else 1)
            hx = (self._zeros(batch, self.proj_size or self.hidden_size, input),
                  self._zeros(batch, self.hidden_size, input))
        else:
            dims = 2 + is_batched
            if hx[0].dim() != dims or hx[1].dim() != dims:
                kind = "For batched 3-D input" if is_batched else "For unbatched 2-D input"
                raise RuntimeError(f"{kind}, hx and cx should also be {dims}-D but got ({hx[0].dim()}-D, "
                                   f"{hx[1].dim()}-D) tensors")
            if not is_batched:
                hx = (hx[0].unsqueeze(1), hx[1].unsqueeze(1))
        self.check_forward_args(input, hx, None)
        output, *hidden = aten.lstm(input, hx, *self._rest(), self.batch_first)
        if is_batched:
            return output, tuple(hidden)
        return output.squeeze(batch_dim), (hidden[0].squeeze(1), hidden[1].squeeze(1))

    def _forward_packed(self, packed: PackedSequence, hx):
        data, batch_sizes, sorted_indices, unsorted_indices = packed
        batch = batch_sizes[0]
        if hx is None:
            hx = (self._zeros(int(batch), self.proj_size or self.hidden_size, data),
                  self._zeros(int(batch), self.hidden_size, data))
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        output, *hidden = aten.lstm(data, batch_sizes, hx, *self._rest())
        return (PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices),
                self.permute_hidden(tuple(hidden), unsorted_indices))


def apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    """An older name of index_select."""
    warnings.warn("`apply_permutation` is deprecated, please use `tensor.index_select(dim, permutation)` instead",
                  FutureWarning, stacklevel=2)
    return tensor.index_select(dim, permutation)
