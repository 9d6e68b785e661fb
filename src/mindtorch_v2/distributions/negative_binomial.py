"""NegativeBinomial: successes before a number of failures."""

from __future__ import annotations

from ..api.functions import torch
from ..autograd.grad_mode import no_grad
from ..core.tensor import Tensor
from ..nn.functional import logsigmoid
from . import constraints
from .distribution import NO_SHAPE
from .gamma import Gamma
from .probs_or_logits import ProbsOrLogitsOfShape, check_one_given
from .utils import broadcast_all, lazy_property

__all__ = ["NegativeBinomial"]


class NegativeBinomial(ProbsOrLogitsOfShape):
    """How many trials succeed, with probability ``probs`` each, before ``total_count`` fail."""

    arg_constraints = {"total_count": constraints.greater_than_eq(0),
                       "probs": constraints.half_open_interval(0.0, 1.0), "logits": constraints.real}
    support = constraints.nonnegative_integer
    _expanded = ("total_count", "probs", "logits")

    def __init__(self, total_count: Tensor | float, probs: Tensor | None = None, logits: Tensor | None = None,
                 validate_args: bool | None = None) -> None:
        check_one_given(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        total_count, tensor = broadcast_all(total_count, given)
        self.total_count = total_count.type_as(tensor)
        setattr(self, name, tensor)
        super().__init__(tensor.size(), validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / torch.sigmoid(-self.logits)

    @lazy_property
    def _gamma(self) -> Gamma:
        return Gamma(concentration=self.total_count, rate=torch.exp(-self.logits), validate_args=False)

    def sample(self, sample_shape=NO_SHAPE):
        with no_grad():
            return torch.poisson(self._gamma.sample(sample_shape=sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        unnormalized = self.total_count * logsigmoid(-self.logits) + value * logsigmoid(self.logits)
        normalizer = (-torch.lgamma(self.total_count + value) + torch.lgamma(1.0 + value)
                      + torch.lgamma(self.total_count))
        return unnormalized - normalizer.masked_fill(self.total_count + value == 0.0, 0.0)
