"""torch.backends: which libraries stand below, told as it is."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import cpu, cuda, cudnn, cusparselt, kleidiai, mha, mkl, mkldnn, mps, nnpack, openmp, opt_einsum, quantized

__all__ = ["cpu", "cuda", "cudnn", "cusparselt", "kleidiai", "mha", "mkl", "mkldnn", "mps", "nnpack", "openmp",
           "opt_einsum", "quantized"]

_answer_for_missing(__name__)
