"""torch.backends: which libraries stand below, told as it is."""

from . import cpu, cuda, cudnn, mha, mkl, mkldnn, mps, openmp

__all__ = ["cpu", "cuda", "cudnn", "mha", "mkl", "mkldnn", "mps", "openmp"]
