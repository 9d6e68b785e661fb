from ...core.tensor cimport blank, ndim_of, shape_of, strides_of, window_of
from ...devices.kernel cimport copy
from ...dispatch cimport dispatcher
