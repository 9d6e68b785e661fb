from ...core.geometry cimport wrap_dim
from ...core.tensor cimport Tensor, offset_of, shape_of, strides_of
from ...dispatch cimport dispatcher
from .view cimport strided
