from ...core.geometry cimport contiguous_strides
from ...core.tensor cimport is_in_order, ndim_of, shape_of
