from ...core.tensor cimport ndim_of, shape_of, strides_of
from ...dispatch cimport dispatcher
