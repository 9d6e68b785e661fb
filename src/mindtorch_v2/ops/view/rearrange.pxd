from ...core.geometry cimport contiguous_strides, wrap_dim
from ...core.tensor cimport blank, in_rows, is_in_order, is_row_major, ndim_of, numel_of, place_of, shape_of, strides_of
from ...dispatch cimport dispatcher
from .view cimport strided
