"""Stubs: modules that do nothing until a model is converted, which it never is here."""

from __future__ import annotations

from ...core.tensor import Tensor
from ...nn.modules.module import Module


class QuantStub(Module):
    """Where numbers would be quantized."""

    def __init__(self, qconfig=None) -> None:
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x: Tensor) -> Tensor:
        """The same tensor."""
        return x


class DeQuantStub(QuantStub):
    """Where numbers would be made floating-point again."""


class QuantWrapper(Module):
    """A module between the two."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.quant, self.dequant = QuantStub(), DeQuantStub()
        self.module = module
        self.train(module.training)

    def forward(self, X: Tensor) -> Tensor:  # noqa: N803  torch's name
        """What the module makes of it."""
        return self.dequant(self.module(self.quant(X)))
