"""LKJCholesky: Cholesky factors of correlation matrices."""

from __future__ import annotations

import math

from ..api.functions import torch
from ..core.dtype import finfo
from ..core.size import Size
from ..core.tensor import Tensor
from . import constraints
from .beta import Beta
from .distribution import NO_SHAPE, Distribution
from .utils import broadcast_all

__all__ = ["LKJCholesky"]


class LKJCholesky(Distribution):
    """Factors of ``dim`` x ``dim`` correlations (Lewandowski, Kurowicka and Joe, 2009), near the identity for large
    ``concentration``, uniform at 1; drawn by the onion method."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky
    _expanded = ("concentration",)

    def __init__(self, dim: int, concentration: Tensor | float = 1.0, validate_args: bool | None = None) -> None:
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        self.concentration, = broadcast_all(concentration)
        marginal = self.concentration + 0.5 * (self.dim - 2)
        offset = torch.arange(self.dim - 1, dtype=self.concentration.dtype, device=self.concentration.device)
        offset = torch.cat([offset.new_zeros((1,)), offset])
        beta1 = offset + 0.5
        beta0 = marginal.unsqueeze(-1) - 0.5 * offset
        self._beta = Beta(beta1, beta0)
        super().__init__(self.concentration.size(), Size((dim, dim)), validate_args)

    def _expand_into(self, new, batch_shape) -> None:
        new.dim = self.dim
        super()._expand_into(new, batch_shape)
        new._beta = self._beta.expand(batch_shape + (self.dim,))

    def sample(self, sample_shape=NO_SHAPE):
        # The squared length of each row up to its diagonal, and its direction.
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        normal = torch.randn(self._extended_shape(sample_shape), dtype=y.dtype, device=y.device).tril(-1)
        direction = normal / normal.norm(dim=-1, keepdim=True)
        direction[..., 0, :].fill_(0.0)  # the first row has none
        w = torch.sqrt(y) * direction
        tiny = finfo(w.dtype).tiny
        diagonal = torch.clamp(1 - torch.sum(w**2, dim=-1), min=tiny).sqrt()
        w += torch.diag_embed(diagonal)
        return w

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        unnormalized = torch.sum(order * diagonal.log(), dim=-1)
        below = self.dim - 1
        alpha = self.concentration + 0.5 * below
        denominator = torch.lgamma(alpha) * below
        numerator = torch.mvlgamma(alpha - 0.5, below)
        return unnormalized - (0.5 * below * math.log(math.pi) + numerator - denominator)
