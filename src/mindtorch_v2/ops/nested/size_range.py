"""What PyTorch's compiler notes on the tensors of jagged ones, and so what their files speak of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _DimRange:
    """The sizes that a dimension may have."""

    dim: int
    min: int
    max: int


_DimRange.__module__ = "torch._dynamo.decorators"
