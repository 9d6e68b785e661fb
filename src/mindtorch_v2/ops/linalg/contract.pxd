from ...core.tensor cimport Tensor
from ...dispatch cimport dispatcher
