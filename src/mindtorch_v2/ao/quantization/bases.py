"""Bases of what watches numbers in order to quantize them: to ask for and to derive from; none is here."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...core.tensor import Tensor
from ...nn.modules.module import Module


class ObserverBase(ABC, Module):
    """A module that notes the numbers going through it."""

    def __init__(self, dtype, is_dynamic: bool = False) -> None:
        super().__init__()
        self.dtype, self.is_dynamic = dtype, is_dynamic

    @abstractmethod
    def forward(self, x: Tensor) -> Tensor:
        """Note them, and give them back."""

    @abstractmethod
    def calculate_qparams(self, **kwargs):
        """The scale and the zero that fit them."""


class FakeQuantizeBase(ABC, Module):
    """A module that rounds numbers as if they were quantized."""

    @abstractmethod
    def forward(self, x: Tensor) -> Tensor:
        """The numbers, rounded."""

    @abstractmethod
    def calculate_qparams(self, **kwargs):
        """The scale and the zero."""
