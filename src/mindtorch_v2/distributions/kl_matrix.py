"""Divergences between normal vectors, whose covariances are of low rank or not."""

from __future__ import annotations

from ..api.functions import torch
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from .kl_registry import register_kl
from .lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
    _batch_lowrank_logdet,
    _batch_lowrank_mahalanobis,
)
from .multivariate_normal import MultivariateNormal, _batch_mahalanobis


def _batch_trace_XXT(bmat: Tensor) -> Tensor:  # noqa: N802  torch's name
    """The trace of each matrix times its transpose."""
    rows, columns = bmat.size(-2), bmat.size(-1)
    return bmat.reshape(-1, rows * columns).pow(2).sum(-1).reshape(bmat.shape[:-2])


def _check_events(p, q, kinds: str) -> None:
    if p.event_shape != q.event_shape:
        raise ValueError(f"KL-divergence between two {kinds} with                          different event shapes "
                         "cannot be computed")


def _half_log_det(d: MultivariateNormal) -> Tensor:
    return d._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _lowrank_log_det(d: LowRankMultivariateNormal) -> Tensor:
    return _batch_lowrank_logdet(*d._factors(), d._capacitance_tril)


def _solved(d: LowRankMultivariateNormal) -> Tensor:
    """The part of the inverse of a covariance that is not its diagonal, as a factor."""
    factor, diagonal = d._factors()
    return aten.linalg_solve_triangular(d._capacitance_tril, factor.mT / diagonal.unsqueeze(-2), upper=False)


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _kl_lowrankmultivariatenormal_lowrankmultivariatenormal(p, q):
    _check_events(p, q, "Low Rank Multivariate Normals")
    term1 = _lowrank_log_det(q) - _lowrank_log_det(p)
    term3 = _batch_lowrank_mahalanobis(*q._factors(), q.loc - p.loc, q._capacitance_tril)
    factor, diagonal = p._factors()
    diagonal_q = q._unbroadcasted_cov_diag
    solved = _solved(q)
    term21 = (diagonal / diagonal_q).sum(-1)
    term22 = _batch_trace_XXT(factor * diagonal_q.rsqrt().unsqueeze(-1))
    term23 = _batch_trace_XXT(solved * diagonal.sqrt().unsqueeze(-2))
    term24 = _batch_trace_XXT(solved.matmul(factor))
    return 0.5 * (term1 + (term21 + term22 - term23 - term24) + term3 - p.event_shape[0])


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _kl_multivariatenormal_lowrankmultivariatenormal(p, q):
    _check_events(p, q, "(Low Rank) Multivariate Normals")
    term1 = _lowrank_log_det(q) - 2 * _half_log_det(p)
    term3 = _batch_lowrank_mahalanobis(*q._factors(), q.loc - p.loc, q._capacitance_tril)
    solved = _solved(q)
    spread = q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1)
    term2 = (_batch_trace_XXT(p._unbroadcasted_scale_tril * spread)
             - _batch_trace_XXT(solved.matmul(p._unbroadcasted_scale_tril)))
    return 0.5 * (term1 + term2 + term3 - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _kl_lowrankmultivariatenormal_multivariatenormal(p, q):
    _check_events(p, q, "(Low Rank) Multivariate Normals")
    term1 = 2 * _half_log_det(q) - _lowrank_log_det(p)
    term3 = _batch_mahalanobis(q._unbroadcasted_scale_tril, q.loc - p.loc)
    factor, diagonal = p._factors()
    batch = torch.broadcast_shapes(q._unbroadcasted_scale_tril.shape[:-2], factor.shape[:-2])
    n = p.event_shape[0]
    scale_tril = q._unbroadcasted_scale_tril.expand(batch + (n, n))
    factor = factor.expand(batch + (n, p.cov_factor.size(-1)))
    diagonal = torch.diag_embed(diagonal.sqrt()).expand(batch + (n, n))
    term2 = (_batch_trace_XXT(aten.linalg_solve_triangular(scale_tril, factor, upper=False))
             + _batch_trace_XXT(aten.linalg_solve_triangular(scale_tril, diagonal, upper=False)))
    return 0.5 * (term1 + term2 + term3 - n)


@register_kl(MultivariateNormal, MultivariateNormal)
def _kl_multivariatenormal_multivariatenormal(p, q):
    _check_events(p, q, "Multivariate Normals")
    half_term1 = _half_log_det(q) - _half_log_det(p)
    batch = torch.broadcast_shapes(q._unbroadcasted_scale_tril.shape[:-2], p._unbroadcasted_scale_tril.shape[:-2])
    n = p.event_shape[0]
    scale_tril_q = q._unbroadcasted_scale_tril.expand(batch + (n, n))
    scale_tril_p = p._unbroadcasted_scale_tril.expand(batch + (n, n))
    term2 = _batch_trace_XXT(aten.linalg_solve_triangular(scale_tril_q, scale_tril_p, upper=False))
    term3 = _batch_mahalanobis(q._unbroadcasted_scale_tril, q.loc - p.loc)
    return half_term1 + 0.5 * (term2 + term3 - n)
