from ...core.geometry cimport contiguous_strides
from ...core.tensor cimport blank, in_rows, is_row_major, ndim_of, numel_of, shape_of
