from ..core.geometry cimport wrap_dim
from ..core.tensor cimport Tensor
from .view cimport strided
