from ...core.tensor cimport Tensor, place_of
from ...dispatch.dispatcher cimport call
