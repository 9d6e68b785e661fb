from ...core.tensor cimport Tensor, blank
from ...dispatch cimport dispatcher
