"""Distributions that are given either probabilities or their logarithms, and work out the other when asked."""

from __future__ import annotations

from ..core.size import Size
from ..core.tensor import Tensor
from .distribution import Distribution
from .utils import lazy_property, logits_to_probs, probs_to_logits


def check_one_given(probs, logits) -> None:
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class ProbsOrLogits(Distribution):
    """One of ``probs`` and ``logits`` is set by the constructor."""

    _is_binary = True

    @lazy_property
    def logits(self) -> Tensor:
        return probs_to_logits(self.probs, is_binary=self._is_binary)

    @lazy_property
    def probs(self) -> Tensor:
        return logits_to_probs(self.logits, is_binary=self._is_binary)

    @property
    def _param(self) -> Tensor:
        """Whichever was given."""
        given = self.__dict__
        return given["probs"] if "probs" in given else given["logits"]

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)


class ProbsOrLogitsOfShape(ProbsOrLogits):
    """The same, where torch also tells their shape."""

    @property
    def param_shape(self) -> Size:
        return self._param.size()
