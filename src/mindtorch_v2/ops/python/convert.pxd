from ...core.tensor cimport Tensor, ndim_of, numel_of, place_of, shape_of
from ...dispatch.dispatcher cimport call, is_unobserved
from ...dispatch.python_dispatch cimport is_opaque
