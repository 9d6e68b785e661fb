"""GeneralizedPareto: what lies beyond a threshold."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..core.tensor import Tensor
from . import constraints
from .distribution import NO_SHAPE, Distribution
from .parameters import set_parameters

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """Numbers above ``loc`` whose tail is as heavy as ``concentration`` says; at 0 they are waiting times."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True
    _expanded = ("loc", "scale", "concentration")

    def __init__(self, loc, scale, concentration, validate_args=None):
        batch_shape = set_parameters(self, loc=loc, scale=scale, concentration=concentration)
        super().__init__(batch_shape, validate_args=validate_args)

    def rsample(self, sample_shape=NO_SHAPE):
        shape = self._extended_shape(sample_shape)
        return self.icdf(torch.rand(shape, dtype=self.loc.dtype, device=self.loc.device))

    def _z(self, x):
        return (x - self.loc) / self.scale

    def _near_zero(self, zero: Tensor) -> tuple[Tensor, Tensor]:
        """Where the concentration is as good as 0, and one to divide by that is 1 there."""
        is_zero = torch.isclose(self.concentration, zero)
        return is_zero, torch.where(is_zero, torch.ones_like(self.concentration), self.concentration)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        z = self._z(value)
        is_zero, concentration = self._near_zero(
            torch.tensor(0.0, dtype=self.concentration.dtype, device=self.concentration.device))
        exponent = 1 / concentration + torch.ones_like(z)
        power = torch.where(exponent == 0, exponent, exponent * torch.log1p(concentration * z))
        return -self.scale.log() - torch.where(is_zero, z, power)

    def log_survival_function(self, value):
        """The logarithm of how probable it is to be above a value."""
        if self._validate_args:
            self._validate_sample(value)
        z = self._z(value)
        is_zero, concentration = self._near_zero(
            torch.tensor(0.0, dtype=self.concentration.dtype, device=self.concentration.device))
        power = -torch.log1p(concentration * z) / concentration
        return torch.where(is_zero, -z, power)

    def log_cdf(self, value):
        """The logarithm of how probable it is to be at or below a value."""
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value):
        return torch.exp(self.log_cdf(value))

    def icdf(self, value):
        is_zero, concentration = self._near_zero(torch.zeros_like(self.concentration))
        log_survival = torch.log1p(-value)
        power = self.loc + self.scale / concentration * torch.expm1(-concentration * log_survival)
        return torch.where(is_zero, self.loc - self.scale * log_survival, power)

    @property
    def mean(self):
        is_finite = self.concentration < 1
        concentration = torch.where(is_finite, self.concentration, 0.5)
        return torch.where(is_finite, self.loc + self.scale / (1 - concentration), math.nan)

    @property
    def variance(self):
        is_finite = self.concentration < 0.5
        concentration = torch.where(is_finite, self.concentration, 0.25)
        variance = self.scale**2 / ((1 - concentration) ** 2 * (1 - 2 * concentration))
        return torch.where(is_finite, variance, math.nan)

    def entropy(self):
        return torch.broadcast_to(torch.log(self.scale) + self.concentration + 1, self._batch_shape)

    @property
    def mode(self):
        return self.loc

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        upper = torch.where(self.concentration < 0, self.loc - self.scale / self.concentration, math.inf)
        return constraints.interval(self.loc, upper)
