from ...core.geometry cimport broadcast_shapes
from ...core.tensor cimport blank, is_in_order, same_shape, shape_of
