"""RelaxedBernoulli: Bernoulli, softened so that gradients pass (Maddison and others, 2017; Jang and others, 2017)."""

from __future__ import annotations

from ..api.functions import torch
from ..core.tensor import Tensor
from . import constraints
from .distribution import NO_SHAPE, _size
from .parameters import set_parameters
from .probs_or_logits import ProbsOrLogitsOfShape, check_one_given
from .transformed_distribution import TransformedDistribution
from .transforms import SigmoidTransform
from .utils import Number, broadcast_all, clamp_probs

__all__ = ["LogitRelaxedBernoulli", "RelaxedBernoulli"]


class LogitRelaxedBernoulli(ProbsOrLogitsOfShape):
    """The log-odds of softened Bernoulli numbers."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real
    _expanded = ("probs", "logits")

    def __init__(self, temperature: Tensor, probs: Tensor | Number | None = None,
                 logits: Tensor | Number | None = None, validate_args: bool | None = None) -> None:
        self.temperature = temperature
        check_one_given(probs, logits)
        given = {"logits": logits} if probs is None else {"probs": probs}
        super().__init__(set_parameters(self, **given), validate_args=validate_args)

    def _expand_into(self, new, batch_shape) -> None:
        new.temperature = self.temperature
        super()._expand_into(new, batch_shape)

    def rsample(self, sample_shape: _size = NO_SHAPE) -> Tensor:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        uniforms = clamp_probs(torch.rand(shape, dtype=probs.dtype, device=probs.device))
        return (uniforms.log() - (-uniforms).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        difference = logits - value.mul(self.temperature)
        return self.temperature.log() + difference - 2 * difference.exp().log1p()


class RelaxedBernoulli(TransformedDistribution):
    """Numbers between 0 and 1 that come close to Bernoulli's as ``temperature`` falls."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    base_dist: LogitRelaxedBernoulli
    _expanded = ()

    def __init__(self, temperature: Tensor, probs: Tensor | Number | None = None,
                 logits: Tensor | Number | None = None, validate_args: bool | None = None) -> None:
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform(),
                         validate_args=validate_args)

    @property
    def temperature(self) -> Tensor:
        return self.base_dist.temperature

    @property
    def logits(self) -> Tensor:
        return self.base_dist.logits

    @property
    def probs(self) -> Tensor:
        return self.base_dist.probs
