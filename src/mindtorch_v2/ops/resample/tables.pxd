from ...core.geometry cimport contiguous_strides
from ...core.tensor cimport ndim_of, shape_of, strides_of
