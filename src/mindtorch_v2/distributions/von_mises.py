"""VonMises: angles around a direction."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..autograd.grad_mode import no_grad
from ..core.dtype import bool_, float64
from ..core.size import Size
from ..core.tensor import Tensor
from . import constraints
from .distribution import NO_SHAPE, Distribution
from .parameters import set_parameters
from .utils import lazy_property

__all__ = ["VonMises"]


# Modified Bessel functions by Abramowitz and Stegun, 9.8.1 to 9.8.4: below and above 3.75.
_BORDER = 3.75
_BELOW = ((1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.0360768, 0.0045813),
          (0.5, 0.87890594, 0.51498869, 0.15084934, 0.02658733, 0.00301532, 0.00032411))
_ABOVE = ((0.39894228, 0.01328592, 0.00225319, -0.00157565, 0.00916281, -0.02057706, 0.02635537, -0.01647633,
           0.00392377),
          (0.39894228, -0.03988024, -0.00362018, 0.00163801, -0.01031555, 0.02282967, -0.02895312, 0.01787654,
           -0.00420059))
_SMALL_CONCENTRATION = 1e-5


def _polynomial(y: Tensor, coefficients: tuple[float, ...]) -> Tensor:
    total = coefficients[-1]
    for c in coefficients[-2::-1]:
        total = c + y * total
    return total


def _log_bessel(x: Tensor, order: int = 0) -> Tensor:
    """The logarithm of the modified Bessel function of the first kind, of order 0 or 1."""
    y = x / _BORDER
    y = y * y
    below = _polynomial(y, _BELOW[order])
    if order == 1:
        below = x.abs() * below
    below = below.log()
    y = _BORDER / x
    above = x - 0.5 * x.log() + _polynomial(y, _ABOVE[order]).log()
    return torch.where(x < _BORDER, below, above)


def _sample_angles(loc: Tensor, concentration: Tensor, r: Tensor, x: Tensor) -> Tensor:
    """Best and Fisher, 1979: angles of a wrapped Cauchy distribution, all until each was accepted once."""
    done = torch.zeros(x.shape, dtype=bool_, device=loc.device)
    while not done.all():
        u = torch.rand((3,) + x.shape, dtype=loc.dtype, device=loc.device)
        u1, u2, u3 = u.unbind()
        z = torch.cos(math.pi * u1)
        f = (1 + r * z) / (r + z)
        c = concentration * (r - f)
        accept = ((c * (2 - c) - u2) > 0) | ((c / u2).log() + 1 - c >= 0)
        if accept.any():
            x = torch.where(accept, (u3 - 0.5).sign() * f.acos(), x)
            done = done | accept
    return (x + math.pi + loc) % (2 * math.pi) - math.pi


class VonMises(Distribution):
    """Angles around ``loc``, the closer the larger ``concentration``; computed in double."""

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(self, loc: Tensor, concentration: Tensor, validate_args: bool | None = None) -> None:
        set_parameters(self, loc=loc, concentration=concentration)
        super().__init__(self.loc.shape, Size(), validate_args)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        log_prob = self.concentration * torch.cos(value - self.loc)
        return log_prob - math.log(2 * math.pi) - _log_bessel(self.concentration, order=0)

    @lazy_property
    def _loc(self) -> Tensor:
        return self.loc.to(float64)

    @lazy_property
    def _concentration(self) -> Tensor:
        return self.concentration.to(float64)

    @lazy_property
    def _proposal_r(self) -> Tensor:
        kappa = self._concentration
        tau = 1 + (1 + 4 * kappa**2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
        proposal = (1 + rho**2) / (2 * rho)
        series = 1 / kappa + kappa
        return torch.where(kappa < _SMALL_CONCENTRATION, series, proposal)

    def sample(self, sample_shape=NO_SHAPE):
        with no_grad():
            x = torch.empty(self._extended_shape(sample_shape), dtype=self._loc.dtype, device=self.loc.device)
            return _sample_angles(self._loc, self._concentration, self._proposal_r, x).to(self.loc.dtype)

    def expand(self, batch_shape, _instance=None):
        return type(self)(self.loc.expand(batch_shape), self.concentration.expand(batch_shape),
                          validate_args=self.__dict__.get("_validate_args"))

    @property
    def mean(self) -> Tensor:
        """The circular mean."""
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        """The circular variance."""
        return 1 - (_log_bessel(self.concentration, order=1) - _log_bessel(self.concentration, order=0)).exp()
