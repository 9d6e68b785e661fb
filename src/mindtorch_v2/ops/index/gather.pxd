from ...core.geometry cimport wrap_dim
from ...core.tensor cimport Tensor, is_in_order, ndim_of, numel_of, shape_of, strides_of
from ...dispatch cimport dispatcher
