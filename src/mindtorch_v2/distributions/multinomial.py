"""Multinomial: how often each of several values comes in a number of trials."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..core.device import contiguous_format
from ..core.size import Size
from ..core.tensor import Tensor
from . import constraints
from .binomial import Binomial
from .categorical import Categorical
from .distribution import NO_SHAPE, Distribution
from .utils import broadcast_all, lazy_property

__all__ = ["Multinomial"]


class Multinomial(Distribution):
    """Counts of the values in ``total_count`` trials, with ``probs`` along the last dimension."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    total_count: int
    _expanded = ()

    def __init__(self, total_count: int = 1, probs: Tensor | None = None, logits: Tensor | None = None,
                 validate_args: bool | None = None) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial  # noqa: B018  torch makes it here, and checks the count with it
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:],
                         validate_args=validate_args)

    def _expand_into(self, new, batch_shape) -> None:
        new.total_count = self.total_count
        new._categorical = self._categorical.expand(batch_shape)

    @lazy_property
    def _binomial(self) -> Binomial:
        return Binomial(total_count=self.total_count, probs=self.probs)

    def _new(self, *args, **kwargs):
        return self._categorical._new(*args, **kwargs)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    @property
    def logits(self) -> Tensor:
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        return self._categorical.probs

    @property
    def param_shape(self) -> Size:
        return self._categorical.param_shape

    def sample(self, sample_shape=NO_SHAPE):
        sample_shape = Size(sample_shape)
        trials = self._categorical.sample(Size((self.total_count,)) + sample_shape)
        trials = trials.permute(*range(1, trials.dim()), 0)
        counts = trials.new(self._extended_shape(sample_shape)).zero_()
        counts.scatter_add_(-1, trials, torch.ones_like(trials))
        return counts.type_as(self.probs)

    def entropy(self):
        n = torch.tensor(self.total_count)
        of_trials = n * self._categorical.entropy() - torch.lgamma(n + 1)
        support = self._binomial.enumerate_support(expand=False)[1:]
        binomial_probs = torch.exp(self._binomial.log_prob(support))
        weights = torch.lgamma(support + 1)
        return of_trials + (binomial_probs * weights).sum([0, -1])

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone(memory_format=contiguous_format)
        log_factorial_n = torch.lgamma(value.sum(-1) + 1)
        log_factorial_counts = torch.lgamma(value + 1).sum(-1)
        logits[(value == 0) & (logits == -math.inf)] = 0  # 0 times -inf would be no number
        log_powers = (logits * value).sum(-1)
        return log_factorial_n - log_factorial_counts + log_powers
