"""torch.masked: reductions and normalisations that leave elements out."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from .maskedtensor import MaskedTensor, as_masked_tensor, is_masked_tensor, masked_tensor
from .masks import _canonical_dim, _combine_input_and_mask, _input_mask, _output_mask, _reduction_identity
from .normalizations import cumprod, cumsum, log_softmax, logaddexp, normalize, softmax, softmin
from .reductions import amax, amin, argmax, argmin, logsumexp, mean, median, norm, prod, std, sum, var

__all__ = ["MaskedTensor", "amax", "amin", "argmax", "argmin", "as_masked_tensor", "cumprod", "cumsum",
           "is_masked_tensor", "log_softmax", "logaddexp", "logsumexp", "masked_tensor", "mean", "median", "norm",
           "normalize", "prod", "softmax", "softmin", "std", "sum", "var"]

_answer_for_missing(__name__)
