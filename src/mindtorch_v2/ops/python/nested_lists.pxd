from ...core.tensor cimport Tensor
