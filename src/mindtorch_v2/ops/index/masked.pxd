from ...core.geometry cimport broadcast_shapes
from ...core.tensor cimport Tensor, is_in_order, ndim_of, numel_of, shape_of
from ..view.view cimport strided
