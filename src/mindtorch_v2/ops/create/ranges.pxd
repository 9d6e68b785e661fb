from ...core.tensor cimport Tensor, blank, numel_of, shape_of
from ...dispatch.dispatcher cimport call, is_unobserved
