"""torch.masked: reductions and normalisations that leave elements out."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from .masks import _canonical_dim, _combine_input_and_mask, _input_mask, _output_mask, _reduction_identity
from .normalizations import cumprod, cumsum, log_softmax, logaddexp, normalize, softmax, softmin
from .reductions import amax, amin, argmax, argmin, logsumexp, mean, median, norm, prod, std, sum, var

__all__ = ["amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean",
           "median", "norm", "normalize", "prod", "softmax", "softmin", "std", "sum", "var"]

_answer_for_missing(__name__)
