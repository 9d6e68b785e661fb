"""Convolutions as layers: Conv1d, Conv2d, Conv3d."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable

from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .. import init
from ..parameter import Parameter, empty
from .module import Module

_PADDINGS = {"same", "valid"}
_PADDING_MODES = {"zeros", "reflect", "replicate", "circular"}


def as_sizes(value, count: int) -> tuple[int, ...]:
    """One number for each dimension."""
    return tuple(value) if isinstance(value, Iterable) else (value,) * count


class _ConvNd(Module):
    """What all convolutions have: sizes, a weight and a bias."""

    __constants__ = ["stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels",
                     "out_channels", "kernel_size"]
    in_channels: int
    out_channels: int
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: str | tuple[int, ...]
    dilation: tuple[int, ...]
    transposed: bool
    output_padding: tuple[int, ...]
    groups: int
    padding_mode: str
    weight: Tensor

    def __init__(self, in_channels: int, out_channels: int, kernel_size: tuple[int, ...], stride: tuple[int, ...],
                 padding: str | tuple[int, ...], dilation: tuple[int, ...], transposed: bool,
                 output_padding: tuple[int, ...], groups: int, bias: bool, padding_mode: str, device=None,
                 dtype=None) -> None:
        super().__init__()
        _check(in_channels, out_channels, stride, padding, groups, padding_mode)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = _border(padding, kernel_size, dilation)
        rows = (in_channels, out_channels // groups) if transposed else (out_channels, in_channels // groups)
        self.weight = Parameter(empty((*rows, *kernel_size), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty((out_channels,), device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new weights, uniform within one over the root of what enters a unit."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        none = (0,) * len(self.kernel_size)
        said = [f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"]
        usual = {"padding": none, "dilation": (1,) * len(none), "output_padding": none, "groups": 1}
        said += [f"{name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        if self.bias is None:
            said.append("bias=False")
        if self.padding_mode != "zeros":
            said.append(f"padding_mode={self.padding_mode}")
        return ", ".join(said)

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        if not hasattr(self, "padding_mode"):
            self.padding_mode = "zeros"

    def _convolve(self, function, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """A border that is not of zeros is laid around the input first."""
        if self.padding_mode == "zeros":
            return function(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)
        padded = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
        return function(padded, weight, bias, self.stride, (0,) * len(self.kernel_size), self.dilation, self.groups)


def _check(in_channels, out_channels, stride, padding, groups, padding_mode) -> None:
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    if in_channels % groups != 0:
        raise ValueError("in_channels must be divisible by groups")
    if out_channels % groups != 0:
        raise ValueError("out_channels must be divisible by groups")
    if isinstance(padding, str):
        if padding not in _PADDINGS:
            raise ValueError(f"Invalid padding string {padding!r}, should be one of {_PADDINGS}")
        if padding == "same" and any(s != 1 for s in stride):
            raise ValueError("padding='same' is not supported for strided convolutions")
    if padding_mode not in _PADDING_MODES:
        raise ValueError(f"padding_mode must be one of {_PADDING_MODES}, but got padding_mode={padding_mode!r}")


def _border(padding, kernel_size, dilation):
    """The border as F.pad takes it: before and after each dimension, the last one first."""
    if not isinstance(padding, str):
        return tuple(p for p in reversed(padding) for _ in range(2))
    total = [d * (k - 1) if padding == "same" else 0 for d, k in zip(dilation, kernel_size)]
    return [n for reach in reversed(total) for n in (reach // 2, reach - reach // 2)]


def _sizes(count: int, kernel_size, stride, padding, dilation) -> tuple:
    """The sizes of a layer, each with a number for every dimension; a word for the border stays one."""
    border = padding if isinstance(padding, str) else as_sizes(padding, count)
    return as_sizes(kernel_size, count), as_sizes(stride, count), border, as_sizes(dilation, count)


class Conv1d(_ConvNd):
    """A convolution of lines."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size, stride=1, padding=0, dilation=1,
                 groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device=None, dtype=None) -> None:
        super().__init__(in_channels, out_channels, *_sizes(1, kernel_size, stride, padding, dilation), False, (0,),
                         groups, bias, padding_mode, device, dtype)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        return self._convolve(F.conv1d, input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv2d(_ConvNd):
    """A convolution of images."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size, stride=1, padding=0, dilation=1,
                 groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device=None, dtype=None) -> None:
        super().__init__(in_channels, out_channels, *_sizes(2, kernel_size, stride, padding, dilation), False, (0, 0),
                         groups, bias, padding_mode, device, dtype)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        return self._convolve(F.conv2d, input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class Conv3d(_ConvNd):
    """A convolution of volumes."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size, stride=1, padding=0, dilation=1,
                 groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device=None, dtype=None) -> None:
        super().__init__(in_channels, out_channels, *_sizes(3, kernel_size, stride, padding, dilation), False,
                         (0, 0, 0), groups, bias, padding_mode, device, dtype)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        return self._convolve(F.conv3d, input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)


class _ConvTransposeNd(_ConvNd):
    """The gradient of a convolution for its input, as a layer of its own."""

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                 groups, bias, padding_mode, device=None, dtype=None) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {self.__class__.__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding,
                         groups, bias, padding_mode, device, dtype)

    def _output_padding(self, input: Tensor, output_size, stride, padding, kernel_size, num_spatial_dims: int,
                        dilation=None):
        """How much larger than usual the result must be to have a size."""
        if output_size is None:
            return as_sizes(self.output_padding, num_spatial_dims)
        others = input.dim() - num_spatial_dims if input.dim() == num_spatial_dims + 2 else 1
        if len(output_size) == others + num_spatial_dims:
            output_size = output_size[others:]
        if len(output_size) != num_spatial_dims:
            raise ValueError(f"ConvTranspose{num_spatial_dims}D: for {input.dim()}D input, output_size must have "
                             f"{num_spatial_dims} or {others + num_spatial_dims} elements (got {len(output_size)})")
        spread = dilation or (1,) * num_spatial_dims
        least = [(input.size(d + others) - 1) * stride[d] - 2 * padding[d] + spread[d] * (kernel_size[d] - 1) + 1
                 for d in range(num_spatial_dims)]
        most = [n + stride[d] - 1 for d, n in enumerate(least)]
        if any(size < low or size > high for size, low, high in zip(output_size, least, most)):
            raise ValueError(f"requested an output size of {output_size}, but valid sizes range from {least} to {most} "
                             f"(for an input of {input.size()[2:]})")
        return [size - low for size, low in zip(output_size, least)]

    def _spread(self, function, input: Tensor, output_size) -> Tensor:
        if self.padding_mode != "zeros":
            raise ValueError(f"Only `zeros` padding mode is supported for {self.__class__.__name__}")
        output_padding = self._output_padding(input, output_size, self.stride, self.padding, self.kernel_size,
                                              len(self.kernel_size), self.dilation)
        return function(input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups,
                        self.dilation)


class ConvTranspose1d(_ConvTransposeNd):
    """A transposed convolution of lines."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size, stride=1, padding=0, output_padding=0,
                 groups: int = 1, bias: bool = True, dilation=1, padding_mode: str = "zeros", device=None,
                 dtype=None) -> None:
        super().__init__(in_channels, out_channels, *_sizes(1, kernel_size, stride, padding, dilation), True,
                         as_sizes(output_padding, 1), groups, bias, padding_mode, device, dtype)

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return self._spread(F.conv_transpose1d, input, output_size)


class ConvTranspose2d(_ConvTransposeNd):
    """A transposed convolution of images."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size, stride=1, padding=0, output_padding=0,
                 groups: int = 1, bias: bool = True, dilation=1, padding_mode: str = "zeros", device=None,
                 dtype=None) -> None:
        super().__init__(in_channels, out_channels, *_sizes(2, kernel_size, stride, padding, dilation), True,
                         as_sizes(output_padding, 2), groups, bias, padding_mode, device, dtype)

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return self._spread(F.conv_transpose2d, input, output_size)


class ConvTranspose3d(_ConvTransposeNd):
    """A transposed convolution of volumes."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size, stride=1, padding=0, output_padding=0,
                 groups: int = 1, bias: bool = True, dilation=1, padding_mode: str = "zeros", device=None,
                 dtype=None) -> None:
        super().__init__(in_channels, out_channels, *_sizes(3, kernel_size, stride, padding, dilation), True,
                         as_sizes(output_padding, 3), groups, bias, padding_mode, device, dtype)

    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        return self._spread(F.conv_transpose3d, input, output_size)

class _ConvTransposeMixin(_ConvTransposeNd):
    """An older name of what transposed convolutions have in common, which mmengine still looks for."""

    def __init__(self, *args, **kwargs) -> None:
        warnings.warn("`_ConvTransposeMixin` is a deprecated internal class. Please consider using public APIs.",
                      FutureWarning, stacklevel=2)
        super().__init__(*args, **kwargs)


from .lazy_conv import (  # noqa: E402, F401  torch's address; they are made of the classes above
    LazyConv1d,
    LazyConv2d,
    LazyConv3d,
    LazyConvTranspose1d,
    LazyConvTranspose2d,
    LazyConvTranspose3d,
)
