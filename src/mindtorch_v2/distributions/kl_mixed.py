"""Divergences from beta, gamma, exponential, Pareto and discrete distributions to those of other families."""

from __future__ import annotations

import math

from ..api.functions import torch
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .continuous_bernoulli import ContinuousBernoulli
from .exponential import Exponential
from .gamma import Gamma
from .gumbel import Gumbel
from .kl_registry import _infinite_like, register_kl
from .laplace import Laplace
from .normal import Normal
from .pareto import Pareto
from .poisson import Poisson
from .uniform import Uniform
from .utils import euler_constant

# The first has values that the others cannot have; its parameter of the shape of the answer.
_BOUNDED = [Beta, ContinuousBernoulli, Pareto, Uniform]
_POSITIVE = [Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform]
INFINITE = [
    (Beta, "concentration1", [Pareto]), (ContinuousBernoulli, "probs", [Pareto]),
    (Exponential, "rate", _BOUNDED), (Gamma, "concentration", _BOUNDED), (Gumbel, "loc", _POSITIVE),
    (Laplace, "loc", _POSITIVE), (Normal, "loc", _POSITIVE),
    (Pareto, "scale", [Beta, ContinuousBernoulli, Uniform]), (Poisson, "rate", [Bernoulli, Binomial]),
]


def _declare_infinite(kind: type, parameter: str, others: list[type]) -> None:
    def infinite(p, q):
        return _infinite_like(getattr(p, parameter))

    for other in others:
        register_kl(kind, other)(infinite)


for _row in INFINITE:
    _declare_infinite(*_row)


@register_kl(Bernoulli, Poisson)
def _kl_bernoulli_poisson(p, q):
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Beta, ContinuousBernoulli)
def _kl_beta_continuous_bernoulli(p, q):
    return -p.entropy() - p.mean * q.logits - torch.log1p(-q.probs) - q._cont_bern_log_norm()


@register_kl(Beta, Exponential)
def _kl_beta_exponential(p, q):
    return -p.entropy() - q.rate.log() + q.rate * (p.concentration1 / (p.concentration1 + p.concentration0))


@register_kl(Beta, Gamma)
def _kl_beta_gamma(p, q):
    t1 = -p.entropy()
    t2 = q.concentration.lgamma() - q.concentration * q.rate.log()
    t3 = (q.concentration - 1) * (p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma())
    t4 = q.rate * p.concentration1 / (p.concentration1 + p.concentration0)
    return t1 + t2 - t3 + t4


@register_kl(Beta, Normal)
def _kl_beta_normal(p, q):
    mean = p.concentration1 / (p.concentration1 + p.concentration0)
    variance = q.scale.pow(2)
    t1 = -p.entropy()
    t2 = 0.5 * (variance * 2 * math.pi).log()
    t3 = (mean * (1 - mean) / (p.concentration1 + p.concentration0 + 1) + mean.pow(2)) * 0.5
    t4 = q.loc * mean
    t5 = q.loc.pow(2) * 0.5
    return t1 + t2 + (t3 - t4 + t5) / variance


@register_kl(Beta, Uniform)
def _kl_beta_uniform(p, q):
    kl = -p.entropy() + (q.high - q.low).log()
    kl[(q.low > p.support.lower_bound) | (q.high < p.support.upper_bound)] = math.inf
    return kl


@register_kl(ContinuousBernoulli, Exponential)
def _kl_continuous_bernoulli_exponential(p, q):
    return -p.entropy() - torch.log(q.rate) + q.rate * p.mean


@register_kl(ContinuousBernoulli, Normal)
def _kl_continuous_bernoulli_normal(p, q):
    t1 = -p.entropy()
    t2 = 0.5 * (math.log(2.0 * math.pi) + torch.square(q.loc / q.scale)) + torch.log(q.scale)
    t3 = (p.variance + torch.square(p.mean) - 2.0 * q.loc * p.mean) / (2.0 * torch.square(q.scale))
    return t1 + t2 + t3


@register_kl(ContinuousBernoulli, Uniform)
def _kl_continuous_bernoulli_uniform(p, q):
    kl = -p.entropy() + (q.high - q.low).log()
    return torch.where(torch.max(torch.ge(q.low, p.support.lower_bound), torch.le(q.high, p.support.upper_bound)),
                       torch.ones_like(kl) * math.inf, kl)


@register_kl(Exponential, Gamma)
def _kl_exponential_gamma(p, q):
    ratio = q.rate / p.rate
    return (-q.concentration * torch.log(ratio) + ratio + q.concentration.lgamma() + q.concentration * euler_constant
            - (1 + euler_constant))


@register_kl(Exponential, Gumbel)
def _kl_exponential_gumbel(p, q):
    product, loc = p.rate * q.scale, q.loc / q.scale
    t1 = product.log() - 1
    t2 = torch.exp(loc) * product / (product + 1)
    t3 = product.reciprocal()
    return t1 - loc + t2 + t3


@register_kl(Exponential, Normal)
def _kl_exponential_normal(p, q):
    variance, squared_rate = q.scale.pow(2), p.rate.pow(2)
    t1 = 0.5 * torch.log(squared_rate * variance * 2 * math.pi)
    t2 = squared_rate.reciprocal()
    t3 = q.loc / p.rate
    t4 = q.loc.pow(2) * 0.5
    return t1 - 1 + (t2 - t3 + t4) / variance


@register_kl(Gamma, Exponential)
def _kl_gamma_exponential(p, q):
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


@register_kl(Gamma, Gumbel)
def _kl_gamma_gumbel(p, q):
    product, loc = p.rate * q.scale, q.loc / q.scale
    t1 = (p.concentration - 1) * p.concentration.digamma() - p.concentration.lgamma() - p.concentration
    t2 = product.log() + p.concentration / product
    t3 = torch.exp(loc) * (1 + product.reciprocal()).pow(-p.concentration) - loc
    return t1 + t2 + t3


@register_kl(Gamma, Normal)
def _kl_gamma_normal(p, q):
    variance, squared_rate = q.scale.pow(2), p.rate.pow(2)
    t1 = 0.5 * torch.log(squared_rate * variance * 2 * math.pi) - p.concentration - p.concentration.lgamma()
    t2 = 0.5 * (p.concentration.pow(2) + p.concentration) / squared_rate
    t3 = q.loc * p.concentration / p.rate
    t4 = 0.5 * q.loc.pow(2)
    return t1 + (p.concentration - 1) * p.concentration.digamma() + (t2 - t3 + t4) / variance


@register_kl(Pareto, Exponential)
def _kl_pareto_exponential(p, q):
    product = p.scale * q.rate
    t1 = (p.alpha / product).log()
    t2 = p.alpha.reciprocal()
    t3 = p.alpha * product / (p.alpha - 1)
    kl = t1 - t2 + t3 - 1
    kl[p.alpha <= 1] = math.inf
    return kl


@register_kl(Pareto, Gamma)
def _kl_pareto_gamma(p, q):
    common = p.scale.log() + p.alpha.reciprocal()
    t1 = p.alpha.log() - common
    t2 = q.concentration.lgamma() - q.concentration * q.rate.log()
    t3 = (1 - q.concentration) * common
    t4 = q.rate * p.alpha * p.scale / (p.alpha - 1)
    kl = t1 + t2 + t3 + t4 - 1
    kl[p.alpha <= 1] = math.inf
    return kl


@register_kl(Pareto, Normal)
def _kl_pareto_normal(p, q):
    twice_variance = 2 * q.scale.pow(2)
    common = p.scale / (p.alpha - 1)
    t1 = (math.sqrt(2 * math.pi) * q.scale * p.alpha / p.scale).log()
    t2 = p.alpha.reciprocal()
    t3 = p.alpha * common.pow(2) / (p.alpha - 2)
    t4 = (p.alpha * common - q.loc).pow(2)
    kl = t1 - t2 + (t3 + t4) / twice_variance - 1
    kl[p.alpha <= 2] = math.inf
    return kl
