"""Matrices with two zeros in four, which only CUDA devices multiply: the names, and torch's refusals."""

from __future__ import annotations

from ..core.overrides import disabled_function
from ..core.tensor import Tensor


class SparseSemiStructuredTensor(Tensor):
    """A matrix in one of NVIDIA's 2:4 formats; there is no device for it here."""

    __torch_function__ = disabled_function  # nobody needs to be asked about tensors that cannot be made

    def __new__(cls, *args, **kwargs):
        raise RuntimeError(f"{cls.__name__} needs a CUDA device, and mindtorch_v2 runs on the CPU")

    @classmethod
    def from_dense(cls, original_tensor: Tensor) -> SparseSemiStructuredTensor:
        """Refused as torch refuses tensors of the CPU."""
        return to_sparse_semi_structured(original_tensor)


class SparseSemiStructuredTensorCUTLASS(SparseSemiStructuredTensor):
    """The format of CUTLASS."""


class SparseSemiStructuredTensorCUSPARSELT(SparseSemiStructuredTensor):
    """The format of cuSPARSELt."""


def to_sparse_semi_structured(original_tensor: Tensor, transposed: bool = False) -> SparseSemiStructuredTensor:
    """Refused as torch refuses tensors of the CPU."""
    raise RuntimeError(f"Error original_tensor.device= {original_tensor.device} is not supported! Only CUDA tensors "
                       "are currently supported.")
