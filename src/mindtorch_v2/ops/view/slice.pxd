from ...core.geometry cimport replaced, wrap_dim
from ...core.tensor cimport Tensor, offset_of, shape_of, strides_of
from ...dispatch cimport dispatcher
from .view cimport strided
