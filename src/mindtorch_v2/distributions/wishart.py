"""Wishart: sums of squares and products of normal vectors."""

from __future__ import annotations

import math
import warnings

from ..api.functions import torch
from ..core.dtype import finfo
from ..core.size import Size
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from . import constraints
from .chi2 import Chi2
from .distribution import NO_SHAPE, _size
from .exp_family import ExponentialFamily
from .multivariate_normal import _precision_to_scale_tril
from .utils import Number, _Number, lazy_property

__all__ = ["Wishart"]


_TRIES = 10


def _mvdigamma(x: Tensor, p: int) -> Tensor:
    """The derivative of the logarithm of the multivariate gamma function."""
    if not x.gt((p - 1) / 2).all():
        raise AssertionError("Wrong domain for multivariate digamma function.")
    return torch.digamma(x.unsqueeze(-1) - torch.arange(p, dtype=x.dtype, device=x.device).div(2)
                         .expand(x.shape + (-1,))).sum(-1)


def _clamp_above_eps(x: Tensor) -> Tensor:
    return x.clamp(min=finfo(x.dtype).eps)


class Wishart(ExponentialFamily):
    """``df`` degrees of freedom, and one of the covariance of the vectors, its inverse, or its Cholesky factor."""

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0
    _expanded = ("covariance_matrix", "scale_tril", "precision_matrix")

    @property
    def arg_constraints(self):
        return {"covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
                "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(self.event_shape[-1] - 1)}

    def __init__(self, df: Tensor | Number, covariance_matrix: Tensor | None = None,
                 precision_matrix: Tensor | None = None, scale_tril: Tensor | None = None,
                 validate_args: bool | None = None) -> None:
        matrices = {"scale_tril": scale_tril, "covariance_matrix": covariance_matrix,
                    "precision_matrix": precision_matrix}
        given = {name: matrix for name, matrix in matrices.items() if matrix is not None}
        if len(given) != 1:
            raise AssertionError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        (name, matrix), = given.items()
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        if isinstance(df, _Number):
            batch_shape = Size(matrix.shape[:-2])
            self.df = torch.tensor(df, dtype=matrix.dtype, device=matrix.device)
        else:
            batch_shape = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        self._check_df(df, matrix.shape[-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        if self.df.lt(matrix.shape[-1]).any():
            warnings.warn("Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < "
                          "ndim.", stacklevel=2)
        super().__init__(batch_shape, matrix.shape[-2:], validate_args=validate_args)
        self._batch_dims = [-(x + 1) for x in range(len(self._batch_shape))]
        self._unbroadcasted_scale_tril = _factor(name, matrix)
        self._dist_chi2 = self._diagonal_chi2(batch_shape)

    def _check_df(self, df, size: int) -> None:
        if self.df.le(size - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {size - 1}.")

    def _diagonal_chi2(self, batch_shape: Size) -> Chi2:
        """The squares on the diagonal of Bartlett's factor, each with one degree of freedom less than the last."""
        factor = self._unbroadcasted_scale_tril
        df = self.df.unsqueeze(-1)
        fewer = torch.arange(self._event_shape[-1], dtype=factor.dtype, device=factor.device)
        return Chi2(df=df - fewer.expand(batch_shape + (-1,)))

    def _expand_into(self, new, batch_shape) -> None:
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(batch_shape + self.event_shape)
        new.df = self.df.expand(batch_shape)
        new._batch_dims = [-(x + 1) for x in range(len(batch_shape))]
        super()._expand_into(new, batch_shape)
        new._event_shape = self._event_shape
        new._dist_chi2 = new._diagonal_chi2(batch_shape)

    def _matrix_shape(self) -> Size:
        return self._batch_shape + self._event_shape

    @lazy_property
    def scale_tril(self) -> Tensor:
        return self._unbroadcasted_scale_tril.expand(self._matrix_shape())

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        factor = self._unbroadcasted_scale_tril
        return (factor @ factor.transpose(-2, -1)).expand(self._matrix_shape())

    @lazy_property
    def precision_matrix(self) -> Tensor:
        factor = self._unbroadcasted_scale_tril
        identity = torch.eye(self._event_shape[-1], device=factor.device, dtype=factor.dtype)
        return torch.cholesky_solve(identity, factor).expand(self._matrix_shape())

    @property
    def mean(self) -> Tensor:
        return self.df.view(self._batch_shape + (1, 1)) * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor[factor <= 0] = math.nan
        return factor.view(self._batch_shape + (1, 1)) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(dim1=-2, dim2=-1)
        return self.df.view(self._batch_shape + (1, 1)) * (
            covariance.pow(2) + torch.einsum("...i,...j->...ij", diagonal, diagonal))

    def _bartlett_sampling(self, sample_shape=NO_SHAPE):
        """A triangular factor of normal numbers below a diagonal of chi (Bartlett, 1933), times itself."""
        p = self._event_shape[-1]
        noise = _clamp_above_eps(self._dist_chi2.rsample(sample_shape).sqrt()).diag_embed(dim1=-2, dim2=-1)
        i, j = torch.tril_indices(p, p, offset=-1)
        noise[..., i, j] = torch.randn(Size(sample_shape) + self._batch_shape + (int(p * (p - 1) / 2),),
                                       dtype=noise.dtype, device=noise.device)
        factor = self._unbroadcasted_scale_tril @ noise
        return factor @ factor.transpose(-2, -1)

    def rsample(self, sample_shape: _size = NO_SHAPE, max_try_correction=None) -> Tensor:
        """Samples, drawn anew as torch draws them: first those that are positive definite, then those that are not."""
        sample_shape = Size(sample_shape)
        sample = self._bartlett_sampling(sample_shape)
        is_drawn_anew = self.support.check(sample)
        if self._batch_dims:
            is_drawn_anew = is_drawn_anew.amax(self._batch_dims)
        if is_drawn_anew.any():
            warnings.warn("Singular sample detected.", stacklevel=2)
            for _ in range(_TRIES if max_try_correction is None else max_try_correction):
                new = self._bartlett_sampling(is_drawn_anew[is_drawn_anew].shape)
                sample[is_drawn_anew] = new
                is_singular = ~self.support.check(new)
                if self._batch_dims:
                    is_singular = is_singular.amax(self._batch_dims)
                is_drawn_anew[is_drawn_anew.clone()] = is_singular
                if not is_drawn_anew.any():
                    break
        return sample

    def _half_log_det(self) -> Tensor:
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        df, p = self.df, self._event_shape[-1]
        return (-df * (p * math.log(2) / 2 + self._half_log_det()) - torch.mvlgamma(df / 2, p=p)
                + (df - p - 1) / 2 * aten.linalg_slogdet(value)[1]
                - torch.cholesky_solve(value, self._unbroadcasted_scale_tril)
                .diagonal(dim1=-2, dim2=-1).sum(dim=-1) / 2)

    def entropy(self):
        df, p = self.df, self._event_shape[-1]
        return ((p + 1) * (p * math.log(2) / 2 + self._half_log_det()) + torch.mvlgamma(df / 2, p=p)
                - (df - p - 1) / 2 * _mvdigamma(df / 2, p=p) + df * p / 2)

    @property
    def _natural_params(self) -> tuple[Tensor, Tensor]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        return ((y + (p + 1) / 2) * (-aten.linalg_slogdet(-2 * x)[1] + math.log(2) * p)
                + torch.mvlgamma(y + (p + 1) / 2, p=p))


def _factor(name: str, matrix: Tensor) -> Tensor:
    if name == "scale_tril":
        return matrix
    return aten.linalg_cholesky(matrix) if name == "covariance_matrix" else _precision_to_scale_tril(matrix)
