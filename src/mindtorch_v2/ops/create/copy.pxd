from ...core cimport geometry, strided
from ...core cimport resize
from ...core.memory_overlap cimport is_expanded
from ...core.tensor cimport Tensor, count_write, offset_of, shape_of, share_storage, strides_of, window_of
from ...dispatch cimport dispatcher
