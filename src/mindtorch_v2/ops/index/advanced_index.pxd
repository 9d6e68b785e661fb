from ...core.geometry cimport broadcast_shapes
from ...core.tensor cimport Tensor, blank, ndim_of, numel_of, shape_of, strides_of
from ...devices.kernel cimport result_of
from ...dispatch cimport dispatcher
from ..view.view cimport strided
