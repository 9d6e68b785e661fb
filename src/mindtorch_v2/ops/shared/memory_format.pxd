from ...core.geometry cimport contiguous_strides
from ...core.tensor cimport is_in_order, offset_of, shape_of, strides_of, window_of
