"""Half of a distribution that is symmetric around 0: the distance of its samples from 0."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..core.tensor import Tensor
from . import constraints
from .transformed_distribution import TransformedDistribution


class Half(TransformedDistribution):
    """``|x|`` where x has median 0 and ``scale``."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    @property
    def scale(self) -> Tensor:
        return self.base_dist.scale

    @property
    def mode(self) -> Tensor:
        return torch.zeros_like(self.scale)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value = self._in_type(value)
        log_prob = self.base_dist.log_prob(value) + math.log(2)
        return torch.where(value >= 0, log_prob, -math.inf)

    def _in_type(self, value: Tensor) -> Tensor:
        """A value in the type that log_prob works with."""
        return value

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob):
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)
