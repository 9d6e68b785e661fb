from ...core cimport geometry
from ...core.tensor cimport Tensor, blank, shape_of, strides_of, window_of
from ...dispatch cimport dispatcher
