from ...core cimport geometry
from ...core cimport resize
from ...core.memory_overlap cimport is_expanded
from ...core.tensor cimport Tensor, alias_of, count_write, is_in_order, numel_of, same_shape, shape_of, strides_of
from ...devices.kernel cimport copy
from ...dispatch cimport dispatcher
