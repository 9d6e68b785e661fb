"""HalfNormal: the distance of normal numbers from 0."""

from __future__ import annotations

import math

from ..core.tensor import Tensor
from .half import Half
from .normal import Normal
from .transforms import AbsTransform

__all__ = ["HalfNormal"]


class HalfNormal(Half):
    """``|x|`` where x is normal with mean 0 and ``scale``."""

    base_dist: Normal
    _expanded = ()

    def __init__(self, scale: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(Normal(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2) * (1 - 2 / math.pi)
