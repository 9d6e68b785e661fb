"""Geometric: failures before the first success."""

from __future__ import annotations

from ..api.functions import torch
from ..autograd.grad_mode import no_grad
from ..core.device import contiguous_format
from ..core.dtype import finfo
from ..core.tensor import Tensor
from ..nn.functional import binary_cross_entropy_with_logits
from . import constraints
from .distribution import NO_SHAPE
from .parameters import set_parameters
from .probs_or_logits import ProbsOrLogits, check_one_given
from .utils import Number, broadcast_all

__all__ = ["Geometric"]


class Geometric(ProbsOrLogits):
    """How many trials fail before one succeeds, with probability ``probs`` each time."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer
    _expanded = ("probs", "logits")

    def __init__(self, probs: Tensor | Number | None = None, logits: Tensor | Number | None = None,
                 validate_args: bool | None = None) -> None:
        check_one_given(probs, logits)
        given = {"logits": logits} if probs is None else {"probs": probs}
        super().__init__(set_parameters(self, **given), validate_args=validate_args)
        if self._validate_args and probs is not None:
            self._check_positive()

    def _check_positive(self) -> None:
        """A success that never comes has no distribution."""
        is_positive = self.probs > 0
        if not is_positive.all():
            raise ValueError(f"Expected parameter probs ({type(self.probs).__name__} of shape "
                             f"{tuple(self.probs.shape)}) of distribution {self!r} to be positive but found invalid "
                             f"values:\n{self.probs.data[~is_positive]}")

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return torch.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape=NO_SHAPE):
        shape = self._extended_shape(sample_shape)
        with no_grad():
            u = self.probs.new(shape).uniform_(finfo(self.probs.dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone(memory_format=contiguous_format)
        probs[(probs == 1) & (value == 0)] = 0  # 0 times -inf would be no number
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs
