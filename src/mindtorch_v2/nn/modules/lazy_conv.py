"""Convolutions that learn their number of inputs from the first batch."""

from __future__ import annotations

from ...core.tensor import Tensor
from .. import parameter
from .conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from .lazy import LazyModuleMixin


class _LazyConvXdMixin(LazyModuleMixin):
    """A convolution whose in_channels are those of its first input."""

    def _become_lazy(self, out_channels: int, bias: bool, device, dtype) -> None:
        self.weight = parameter.UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = parameter.UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor, *args, **kwargs) -> None:
        if not self.has_uninitialized_params():
            return
        self.in_channels = self._get_in_channels(input)
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        rows = (self.in_channels, self.out_channels // self.groups) if self.transposed else \
            (self.out_channels, self.in_channels // self.groups)
        self.weight.materialize((*rows, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()

    def _get_in_channels(self, input: Tensor) -> int:
        spatial = self._get_num_spatial_dims()
        if input.dim() not in (spatial + 1, spatial + 2):
            raise RuntimeError(f"Expected {spatial + 1}D (unbatched) or {spatial + 2}D (batched) input to "
                               f"{self.__class__.__name__}, but got input of size: {input.shape}")
        return input.shape[1] if input.dim() == spatial + 2 else input.shape[0]

    def _get_num_spatial_dims(self) -> int:
        return len(self.kernel_size)


def _lazy_conv(layer: type, address: str) -> type:
    """The lazy form of a convolution: its arguments without in_channels."""
    def begin(self, out_channels: int, kernel_size, stride=1, padding=0, dilation=1, groups: int = 1,
              bias: bool = True, padding_mode: str = "zeros", device=None, dtype=None) -> None:
        super(lazy, self).__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device,
                                   dtype)
        self._become_lazy(out_channels, bias, device, dtype)

    return (lazy := _class_of(layer, begin, address))


def _lazy_transposed(layer: type, address: str) -> type:
    """The same for a transposed one, whose arguments come in another order."""
    def begin(self, out_channels: int, kernel_size, stride=1, padding=0, output_padding=0, groups: int = 1,
              bias: bool = True, dilation=1, padding_mode: str = "zeros", device=None, dtype=None) -> None:
        super(lazy, self).__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
                                   padding_mode, device, dtype)
        self._become_lazy(out_channels, bias, device, dtype)

    return (lazy := _class_of(layer, begin, address))


def _class_of(layer: type, init, address: str) -> type:
    name = f"Lazy{layer.__name__}"
    init.__name__, init.__qualname__ = "__init__", f"{name}.__init__"
    facets = {"__init__": init, "cls_to_become": layer, "__module__": address,
              "__doc__": f"A {layer.__name__} whose in_channels are those of its first input."}
    return type(name, (_LazyConvXdMixin, layer), facets)


LazyConv1d, LazyConv2d, LazyConv3d = (_lazy_conv(layer, __name__) for layer in (Conv1d, Conv2d, Conv3d))
LazyConvTranspose1d, LazyConvTranspose2d, LazyConvTranspose3d = (
    _lazy_transposed(layer, __name__) for layer in (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d))
