"""MultivariateNormal: normal vectors whose components go together."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..core.size import Size
from ..core.tensor import Tensor
from ..dispatch.aten import aten
from . import constraints
from .distribution import NO_SHAPE, Distribution, _size
from .utils import _standard_normal, lazy_property

__all__ = ["MultivariateNormal"]


def _batch_mv(bmat: Tensor, bvec: Tensor) -> Tensor:
    """Matrices times vectors, both in batches."""
    return torch.matmul(bmat, bvec.unsqueeze(-1)).squeeze(-1)


def _batch_mahalanobis(bL: Tensor, bx: Tensor) -> Tensor:  # noqa: N803  torch's name
    """``x (L L^T)^-1 x`` for each x, where the batch of x may be a multiple of that of L in every dimension.

    All vectors that belong to one L are solved for at once.
    """
    n, batch_shape, batch_dims = bx.size(-1), bx.shape[:-1], bL.dim() - 2
    outer = len(batch_shape) - batch_dims
    split = bx.shape[:outer]
    for size_l, size_x in zip(bL.shape[:-2], bx.shape[outer:-1]):
        split = split + (size_x // size_l, size_l)
    last = outer + 2 * batch_dims
    order = [*range(outer), *range(outer, last, 2), *range(outer + 1, last, 2), last]
    bx = bx.reshape(split + (n,)).permute(order)  # (outer, repeats, batch of L, n)
    flat_l = bL.reshape(-1, n, n)
    flat_x = bx.reshape(-1, flat_l.size(0), n)
    solved = aten.linalg_solve_triangular(flat_l, flat_x.permute(1, 2, 0), upper=False)
    distances = solved.pow(2).sum(-2).t().reshape(bx.shape[:-1])
    back = list(range(outer))
    for i in range(batch_dims):
        back += [outer + i, outer + batch_dims + i]
    return distances.permute(back).reshape(batch_shape)


def _precision_to_scale_tril(precision: Tensor) -> Tensor:
    """The Cholesky factor of an inverse, by that of the matrix turned round."""
    turned = aten.linalg_cholesky(torch.flip(precision, (-2, -1)))
    inverse = torch.transpose(torch.flip(turned, (-2, -1)), -2, -1)
    identity = torch.eye(precision.shape[-1], dtype=precision.dtype, device=precision.device)
    return aten.linalg_solve_triangular(inverse, identity, upper=False)


# The ways to say how components go together, and what torch calls each when it complains.
MATRICES = {"covariance_matrix": "covariance_matrix", "precision_matrix": "precision_matrix",
            "scale_tril": "scale_tril matrix"}


class MultivariateNormal(Distribution):
    """Mean ``loc``, and one of the covariance, its inverse, or its Cholesky factor."""

    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky}
    support = constraints.real_vector
    has_rsample = True
    _expanded = ("loc", "covariance_matrix", "scale_tril", "precision_matrix")

    def __init__(self, loc: Tensor, covariance_matrix: Tensor | None = None, precision_matrix: Tensor | None = None,
                 scale_tril: Tensor | None = None, validate_args: bool | None = None) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix,
                    "scale_tril": scale_tril}
        given = {name: matrix for name, matrix in matrices.items() if matrix is not None}
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        (name, matrix), = given.items()
        if matrix.dim() < 2:
            raise ValueError(f"{MATRICES[name]} must be at least two-dimensional, with optional leading batch "
                             "dimensions")
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        if name == "scale_tril":
            self._unbroadcasted_scale_tril = matrix
        else:
            factor = aten.linalg_cholesky if name == "covariance_matrix" else _precision_to_scale_tril
            self._unbroadcasted_scale_tril = factor(matrix)

    def _expand_into(self, new, batch_shape) -> None:
        super()._expand_into(new, batch_shape)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril

    def _matrix_shape(self) -> Size:
        return self._batch_shape + self._event_shape + self._event_shape

    @lazy_property
    def scale_tril(self) -> Tensor:
        return self._unbroadcasted_scale_tril.expand(self._matrix_shape())

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        factor = self._unbroadcasted_scale_tril
        return torch.matmul(factor, factor.mT).expand(self._matrix_shape())

    @lazy_property
    def precision_matrix(self) -> Tensor:
        return torch.cholesky_inverse(self._unbroadcasted_scale_tril).expand(self._matrix_shape())

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: _size = NO_SHAPE) -> Tensor:
        shape = self._extended_shape(sample_shape)
        eps = _standard_normal(shape, dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + _batch_mv(self._unbroadcasted_scale_tril, eps)

    def _half_log_det(self) -> Tensor:
        return self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        distance = _batch_mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        half_log_det = self._half_log_det()
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - half_log_det

    def entropy(self):
        entropy = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
