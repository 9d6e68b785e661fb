from ...core.geometry cimport wrap_dim
from ...core.tensor cimport blank, is_in_order, ndim_of, numel_of, shape_of, strides_of, window_of
from ...dispatch cimport dispatcher
