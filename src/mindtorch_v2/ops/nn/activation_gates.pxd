from ...core.geometry cimport broadcast_shapes, wrap_dim
from ...core.tensor cimport is_in_order, ndim_of, numel_of, shape_of
