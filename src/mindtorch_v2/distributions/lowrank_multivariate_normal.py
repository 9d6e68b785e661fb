"""LowRankMultivariateNormal: normal vectors whose covariance is a diagonal and a matrix of low rank."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..core.size import Size
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from . import constraints
from .distribution import NO_SHAPE, Distribution, _size
from .multivariate_normal import _batch_mahalanobis, _batch_mv
from .utils import _standard_normal, lazy_property

__all__ = ["LowRankMultivariateNormal"]


def _add_identity(matrices: Tensor) -> Tensor:
    size = matrices.size(-1)
    matrices.view(-1, size * size)[:, ::size + 1] += 1
    return matrices


def _batch_capacitance_tril(W, D):  # noqa: N803  torch's names
    """The Cholesky factor of ``I + W^T D^-1 W``."""
    over_diagonal = W.mT / D.unsqueeze(-2)
    return aten.linalg_cholesky(_add_identity(torch.matmul(over_diagonal, W).contiguous()))


def _batch_lowrank_logdet(W, D, capacitance_tril):  # noqa: N803
    """``log det (W W^T + D)`` by the matrix determinant lemma."""
    return 2 * capacitance_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1) + D.log().sum(-1)


def _batch_lowrank_mahalanobis(W, D, x, capacitance_tril):  # noqa: N803
    """``x (W W^T + D)^-1 x`` by Woodbury's identity."""
    over_diagonal = W.mT / D.unsqueeze(-2)
    projected = _batch_mv(over_diagonal, x)
    of_diagonal = (x.pow(2) / D).sum(-1)
    return of_diagonal - _batch_mahalanobis(capacitance_tril, projected)


class LowRankMultivariateNormal(Distribution):
    """Mean ``loc``, covariance ``cov_factor @ cov_factor.T + cov_diag``."""

    arg_constraints = {"loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
                       "cov_diag": constraints.independent(constraints.positive, 1)}
    support = constraints.real_vector
    has_rsample = True
    _expanded = ("loc", "cov_diag", "cov_factor")

    def __init__(self, loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: bool | None = None) -> None:
        _check_shapes(loc, cov_factor, cov_diag)
        column, diagonal = loc.unsqueeze(-1), cov_diag.unsqueeze(-1)
        try:
            column, self.cov_factor, diagonal = torch.broadcast_tensors(column, cov_factor, diagonal)
        except RuntimeError as error:
            raise ValueError(f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag "
                             f"{cov_diag.shape}") from error
        self.loc, self.cov_diag = column[..., 0], diagonal[..., 0]
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = _batch_capacitance_tril(cov_factor, cov_diag)
        super().__init__(self.loc.shape[:-1], loc.shape[-1:], validate_args=validate_args)

    def _expand_into(self, new, batch_shape) -> None:
        super()._expand_into(new, batch_shape)
        for name in ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril"):
            setattr(new, name, getattr(self, name))

    def _factors(self) -> tuple[Tensor, Tensor]:
        return self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag

    def _matrix_shape(self) -> Size:
        return self._batch_shape + self._event_shape + self._event_shape

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @lazy_property
    def variance(self) -> Tensor:
        factor, diagonal = self._factors()
        return (factor.pow(2).sum(-1) + diagonal).expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self) -> Tensor:
        factor, diagonal = self._factors()
        spread = diagonal.sqrt().unsqueeze(-1)
        scaled = factor / spread
        matrix = _add_identity(torch.matmul(scaled, scaled.mT).contiguous())
        return (spread * aten.linalg_cholesky(matrix)).expand(self._matrix_shape())

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        factor, diagonal = self._factors()
        covariance = torch.matmul(factor, factor.mT) + torch.diag_embed(diagonal)
        return covariance.expand(self._matrix_shape())

    @lazy_property
    def precision_matrix(self) -> Tensor:
        factor, diagonal = self._factors()
        over_diagonal = factor.mT / diagonal.unsqueeze(-2)
        solved = aten.linalg_solve_triangular(self._capacitance_tril, over_diagonal, upper=False)
        precision = torch.diag_embed(diagonal.reciprocal()) - torch.matmul(solved.mT, solved)
        return precision.expand(self._matrix_shape())

    def rsample(self, sample_shape: _size = NO_SHAPE) -> Tensor:
        shape = self._extended_shape(sample_shape)
        factor, diagonal = self._factors()
        options = {"dtype": self.loc.dtype, "device": self.loc.device}
        eps_factor = _standard_normal(shape[:-1] + self.cov_factor.shape[-1:], **options)
        eps_diagonal = _standard_normal(shape, **options)
        return self.loc + _batch_mv(factor, eps_factor) + diagonal.sqrt() * eps_diagonal

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        distance = _batch_lowrank_mahalanobis(*self._factors(), value - self.loc, self._capacitance_tril)
        log_det = _batch_lowrank_logdet(*self._factors(), self._capacitance_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + log_det + distance)

    def entropy(self):
        log_det = _batch_lowrank_logdet(*self._factors(), self._capacitance_tril)
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + log_det)
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy


def _check_shapes(loc: Tensor, cov_factor: Tensor, cov_diag: Tensor) -> None:
    if loc.dim() < 1:
        raise ValueError("loc must be at least one-dimensional.")
    event_shape = loc.shape[-1:]
    if cov_factor.dim() < 2:
        raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
    if cov_factor.shape[-2:-1] != event_shape:
        raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
    if cov_diag.shape[-1:] != event_shape:
        raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
