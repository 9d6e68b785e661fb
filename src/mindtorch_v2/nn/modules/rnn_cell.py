"""One step of a recurrent layer as a layer: RNNCell, LSTMCell, GRUCell."""

from __future__ import annotations

import math

from ...core.tensor import Tensor
from ...dispatch.aten import aten
from .. import init
from ..parameter import Parameter, empty
from .module import Module


class RNNCellBase(Module):
    """What cells have in common."""

    __constants__ = ["input_size", "hidden_size", "bias"]
    input_size: int
    hidden_size: int
    bias: bool
    weight_ih: Tensor
    weight_hh: Tensor

    def __init__(self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device=None,
                 dtype=None) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = num_chunks * hidden_size
        for name, shape in (("weight_ih", (gates, input_size)), ("weight_hh", (gates, hidden_size)),
                            ("bias_ih", (gates,)), ("bias_hh", (gates,))):
            if bias or not name.startswith("bias"):
                setattr(self, name, Parameter(empty(shape, device=device, dtype=dtype)))
            else:
                self.register_parameter(name, None)
        self.reset_parameters()

    def extra_repr(self) -> str:
        shown = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            shown += f", bias={self.bias}"
        if self.__dict__.get("nonlinearity", "tanh") != "tanh":
            shown += f", nonlinearity={self.nonlinearity}"
        return shown

    def reset_parameters(self) -> None:
        """Draw new weights, uniform within ``1/sqrt(hidden_size)``."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _check_dims(self, name: str, tensor: Tensor) -> None:
        if tensor.dim() not in (1, 2):
            raise ValueError(f"{self._get_name()}: Expected {name} to be 1D or 2D, got {tensor.dim()}D instead")

    def _zeros(self, input: Tensor) -> Tensor:
        return aten.zeros((input.size(0), self.hidden_size), dtype=input.dtype, device=input.device)

    def _step(self, op, input: Tensor, hx: Tensor | None) -> Tensor:
        """A step of a cell whose state is one tensor, for a batch or for one sample."""
        self._check_dims("input", input)
        if hx is not None:
            self._check_dims("hidden", hx)
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = self._zeros(input)
        elif not is_batched:
            hx = hx.unsqueeze(0)
        state = op(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return state if is_batched else state.squeeze(0)


class RNNCell(RNNCellBase):
    """A step of an Elman network with tanh or relu."""

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]
    nonlinearity: str

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, nonlinearity: str = "tanh", device=None,
                 dtype=None) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(aten.rnn_tanh_cell if self.nonlinearity == "tanh" else aten.rnn_relu_cell, input, hx)


class LSTMCell(RNNCellBase):
    """A step of a long short-term memory."""

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        self._check_dims("input", input)
        for i, state in enumerate(hx or ()):
            self._check_dims(f"hx[{i}]", state)
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = self._zeros(input)
            hx = (zeros, zeros)
        elif not is_batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        h, c = aten.lstm_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return (h, c) if is_batched else (h.squeeze(0), c.squeeze(0))


class GRUCell(RNNCellBase):
    """A step of a gated recurrent unit."""

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step(aten.gru_cell, input, hx)
