from ...core.tensor cimport Tensor, is_in_order, place_of, shape_of
from ...dispatch.dispatcher cimport call
