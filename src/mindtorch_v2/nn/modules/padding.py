"""Layers that lay a border around signals, images and volumes."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.tensor import Tensor
from .. import functional as F  # noqa: N812  torch's users know it by this letter
from .conv import as_sizes
from .module import Module

Padding = int | tuple[int, ...]


class _PadNd(Module):
    """What borders of one kind have in common: sizes from the last dimension on, before and after."""

    __constants__ = ["padding"]
    padding: Sequence[int]
    _mode: str
    _rank: int

    def __init__(self, padding: Padding) -> None:
        super().__init__()
        self.padding = as_sizes(padding, 2 * self._rank)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _CircularPadNd(_PadNd):
    """The other side continued."""

    _mode = "circular"

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in (self._rank + 1, self._rank + 2):
            raise ValueError(f"expected {self._rank + 1}D or {self._rank + 2}D input (got {input.dim()}D input)")

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        return super().forward(input)


class _ReflectionPadNd(_PadNd):
    """The tensor seen in a mirror at its edge."""

    _mode = "reflect"


class _ReplicationPadNd(_PadNd):
    """The edge repeated."""

    _mode = "replicate"


class _ConstantPadNd(_PadNd):
    """One number."""

    __constants__ = ["padding", "value"]
    value: float
    _mode = "constant"

    def __init__(self, padding: Padding, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self._mode, self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad:
    """A border of one number whose number is zero."""

    def __init__(self, padding: Padding) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class CircularPad1d(_CircularPadNd):
    """A border of signals that continues at the other side."""

    _rank = 1


class CircularPad2d(_CircularPadNd):
    """A border of images that continues at the other side."""

    _rank = 2


class CircularPad3d(_CircularPadNd):
    """A border of volumes that continues at the other side."""

    _rank = 3


class ConstantPad1d(_ConstantPadNd):
    """A border of signals, of one number."""

    _rank = 1


class ConstantPad2d(_ConstantPadNd):
    """A border of images, of one number."""

    _rank = 2


class ConstantPad3d(_ConstantPadNd):
    """A border of volumes, of one number."""

    _rank = 3


class ReflectionPad1d(_ReflectionPadNd):
    """A border of signals, as in a mirror."""

    _rank = 1


class ReflectionPad2d(_ReflectionPadNd):
    """A border of images, as in a mirror."""

    _rank = 2


class ReflectionPad3d(_ReflectionPadNd):
    """A border of volumes, as in a mirror."""

    _rank = 3


class ReplicationPad1d(_ReplicationPadNd):
    """A border of signals that repeats the edge."""

    _rank = 1


class ReplicationPad2d(_ReplicationPadNd):
    """A border of images that repeats the edge."""

    _rank = 2


class ReplicationPad3d(_ReplicationPadNd):
    """A border of volumes that repeats the edge."""

    _rank = 3


class ZeroPad1d(_ZeroPad, ConstantPad1d):
    """A border of signals, of zeros."""


class ZeroPad2d(_ZeroPad, ConstantPad2d):
    """A border of images, of zeros."""


class ZeroPad3d(_ZeroPad, ConstantPad3d):
    """A border of volumes, of zeros."""
