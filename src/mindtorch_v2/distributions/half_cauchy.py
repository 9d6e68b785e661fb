"""HalfCauchy: the distance of Cauchy numbers from 0."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..core.tensor import Tensor
from .cauchy import Cauchy
from .half import Half
from .transforms import AbsTransform

__all__ = ["HalfCauchy"]


class HalfCauchy(Half):
    """``|x|`` where x is Cauchy with median 0 and ``scale``."""

    base_dist: Cauchy
    _expanded = ()

    def __init__(self, scale: Tensor | float, validate_args: bool | None = None) -> None:
        super().__init__(Cauchy(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype, device=self.scale.device)

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def _in_type(self, value: Tensor) -> Tensor:
        return torch.as_tensor(value, dtype=self.base_dist.scale.dtype, device=self.base_dist.scale.device)
