"""Poisson: how often something happens at a rate."""

from __future__ import annotations

from ..api.functions import torch
from ..autograd.grad_mode import no_grad
from ..core.tensor import Tensor
from . import constraints
from .distribution import NO_SHAPE
from .exp_family import ExponentialFamily
from .parameters import set_parameters
from .utils import Number, broadcast_all

__all__ = ["Poisson"]


class Poisson(ExponentialFamily):
    """Counts of what happens ``rate`` times on average."""

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer
    _expanded = ("rate",)

    def __init__(self, rate: Tensor | Number, validate_args: bool | None = None) -> None:
        super().__init__(set_parameters(self, rate=rate), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate

    @property
    def mode(self) -> Tensor:
        return self.rate.floor()

    @property
    def variance(self) -> Tensor:
        return self.rate

    def sample(self, sample_shape=NO_SHAPE):
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return torch.poisson(self.rate.expand(shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self) -> tuple[Tensor]:
        return (torch.log(self.rate),)

    def _log_normalizer(self, x):
        return torch.exp(x)
