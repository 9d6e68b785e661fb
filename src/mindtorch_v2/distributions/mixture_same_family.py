"""MixtureSameFamily: one of several distributions of a kind, by chance."""

from __future__ import annotations

from ..api.functions import torch
from ..autograd.grad_mode import no_grad
from ..core.size import Size
from ..core.tensor import Tensor
from . import constraints
from .categorical import Categorical
from .distribution import NO_SHAPE, Distribution

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """The last dimension of the batch of ``component_distribution``, each with the probability of its mixture."""

    arg_constraints: dict[str, constraints.Constraint] = {}
    has_rsample = False
    _expanded = ()

    def __init__(self, mixture_distribution: Categorical, component_distribution: Distribution,
                 validate_args: bool | None = None) -> None:
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        _check_kinds(mixture_distribution, component_distribution)
        batch_shape = component_distribution.batch_shape[:-1]
        self._num_component = mixture_distribution.logits.shape[-1]
        _check_shapes(mixture_distribution.batch_shape, batch_shape, self._num_component,
                      component_distribution.batch_shape[-1])
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(batch_shape=batch_shape, event_shape=component_distribution.event_shape,
                         validate_args=validate_args)

    def _expand_into(self, new, batch_shape) -> None:
        new._component_distribution = self._component_distribution.expand(batch_shape + (self._num_component,))
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        new._num_component, new._event_ndims = self._num_component, self._event_ndims

    @constraints.dependent_property
    def support(self):
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Categorical:
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        return self._component_distribution

    @property
    def mean(self) -> Tensor:
        probs = self._pad_mixture_dimensions(self.mixture_distribution.probs)
        return torch.sum(probs * self.component_distribution.mean, dim=-1 - self._event_ndims)

    @property
    def variance(self) -> Tensor:
        """The mean of the variances and the variance of the means."""
        probs = self._pad_mixture_dimensions(self.mixture_distribution.probs)
        within = torch.sum(probs * self.component_distribution.variance, dim=-1 - self._event_ndims)
        between = torch.sum(probs * (self.component_distribution.mean - self._pad(self.mean)).pow(2.0),
                            dim=-1 - self._event_ndims)
        return within + between

    def cdf(self, x):
        of_components = self.component_distribution.cdf(self._pad(x))
        return torch.sum(of_components * self.mixture_distribution.probs, dim=-1)

    def log_prob(self, x):
        if self._validate_args:
            self._validate_sample(x)
        of_components = self.component_distribution.log_prob(self._pad(x))
        log_weights = torch.log_softmax(self.mixture_distribution.logits, dim=-1)
        return torch.logsumexp(of_components + log_weights, dim=-1)

    def sample(self, sample_shape=NO_SHAPE):
        with no_grad():
            chosen = self.mixture_distribution.sample(sample_shape)
            samples = self.component_distribution.sample(sample_shape)
            dim = len(sample_shape) + len(self.batch_shape)
            index = chosen.reshape(chosen.shape + Size([1] * (len(self.event_shape) + 1)))
            index = index.repeat(Size([1] * len(chosen.shape)) + Size([1]) + self.event_shape)
            return torch.gather(samples, dim, index).squeeze(dim)

    def _pad(self, x):
        return x.unsqueeze(-1 - self._event_ndims)

    def _pad_mixture_dimensions(self, x):
        mixture_ndims = len(self.mixture_distribution.batch_shape)
        missing = 0 if mixture_ndims == 1 else len(self.batch_shape) - mixture_ndims
        return x.reshape(x.shape[:-1] + Size(missing * [1]) + x.shape[-1:] + Size(self._event_ndims * [1]))

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"


def _check_kinds(mixture, component) -> None:
    if not isinstance(mixture, Categorical):
        raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
    if not isinstance(component, Distribution):
        raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")


def _check_shapes(mixture: Size, component: Size, weights: int, components: int) -> None:
    for size, other in zip(reversed(mixture), reversed(component)):
        if size != 1 and other != 1 and size != other:
            raise ValueError(f"`mixture_distribution.batch_shape` ({mixture}) is not compatible with "
                             f"`component_distribution.batch_shape`({component})")
    if weights != components:
        raise ValueError(f"`mixture_distribution component` ({weights}) does not equal "
                         f"`component_distribution.batch_shape[-1]` ({components})")
