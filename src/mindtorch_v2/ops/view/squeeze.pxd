from ...core.geometry cimport inserted, wrap_dim
from ...core.tensor cimport Tensor, shape_of, strides_of
from .view cimport strided
