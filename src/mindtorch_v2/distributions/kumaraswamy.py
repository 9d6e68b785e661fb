"""Kumaraswamy: much like Beta, with a cdf that can be written down."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..core.tensor import Tensor
from . import constraints
from .parameters import set_parameters
from .transformed_distribution import TransformedDistribution
from .transforms import AffineTransform, PowerTransform
from .uniform import Uniform
from .utils import euler_constant

__all__ = ["Kumaraswamy"]


def _moment(a: Tensor, b: Tensor, n: int) -> Tensor:
    """The expectation of x to the power of n."""
    argument = 1 + n / a
    return b * torch.exp(torch.lgamma(argument) + torch.lgamma(b) - torch.lgamma(argument + b))


class Kumaraswamy(TransformedDistribution):
    """Numbers between 0 and 1 with the cdf ``1 - (1 - x**concentration1)**concentration0``."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    _expanded = ("concentration1", "concentration0")

    def __init__(self, concentration1: Tensor | float, concentration0: Tensor | float,
                 validate_args: bool | None = None) -> None:
        set_parameters(self, concentration1=concentration1, concentration0=concentration0)
        base = Uniform(torch.full_like(self.concentration0, 0), torch.full_like(self.concentration0, 1),
                       validate_args=validate_args)
        transforms = [PowerTransform(exponent=self.concentration0.reciprocal()),
                      AffineTransform(loc=1.0, scale=-1.0),
                      PowerTransform(exponent=self.concentration1.reciprocal())]
        super().__init__(base, transforms, validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return _moment(self.concentration1, self.concentration0, 1)

    @property
    def mode(self) -> Tensor:
        log_mode = (self.concentration0.reciprocal() * (-self.concentration0).log1p()
                    - (-self.concentration0 * self.concentration1).log1p())
        log_mode[(self.concentration0 < 1) | (self.concentration1 < 1)] = math.nan
        return log_mode.exp()

    @property
    def variance(self) -> Tensor:
        return _moment(self.concentration1, self.concentration0, 2) - torch.pow(self.mean, 2)

    def entropy(self):
        complement1 = 1 - self.concentration1.reciprocal()
        complement0 = 1 - self.concentration0.reciprocal()
        harmonic = torch.digamma(self.concentration0 + 1) + euler_constant
        return (complement0 + complement1 * harmonic - torch.log(self.concentration1)
                - torch.log(self.concentration0))
