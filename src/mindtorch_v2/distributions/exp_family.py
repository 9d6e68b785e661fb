"""ExponentialFamily: distributions whose entropy follows from their normaliser."""

from __future__ import annotations

from ..autograd.api import grad as gradients
from .distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """``p(x) = exp(<t(x), theta> - F(theta) + k(x))``: natural parameters theta, log-normaliser F, carrier k."""

    @property
    def _natural_params(self):
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        """The expectation of k."""
        raise NotImplementedError

    def entropy(self):
        """F(theta) - <theta, F'(theta)> - E[k], by the derivative of F (Nielsen and Nock, 2010)."""
        entropy = -self._mean_carrier_measure
        natural = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*natural)
        slopes = gradients(normalizer.sum(), natural, create_graph=True)
        entropy += normalizer
        for parameter, slope in zip(natural, slopes):
            entropy -= (parameter * slope).reshape(self._batch_shape + (-1,)).sum(-1)
        return entropy
