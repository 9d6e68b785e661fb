"""torch.backends: which libraries stand below, told as it is."""

from contextlib import nullcontext as _nullcontext

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import cpu, cuda, cudnn, cusparselt, kleidiai, mha, mkl, mkldnn, mps, nnpack, openmp, opt_einsum, quantized

__all__ = ["cpu", "cuda", "cudnn", "cusparselt", "kleidiai", "mha", "mkl", "mkldnn", "mps", "nnpack", "openmp",
           "opt_einsum", "quantized"]


def flags_frozen() -> bool:
    """False: switches can be set at any time, by `torch.backends.cudnn.deterministic = True` too."""
    return False


__allow_nonbracketed_mutation = _nullcontext  # the block in which libraries set switches that may be frozen

_answer_for_missing(__name__)
