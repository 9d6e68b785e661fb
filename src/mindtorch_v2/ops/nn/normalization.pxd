from ...core.tensor cimport ndim_of, numel_of, shape_of
from ...dispatch.dispatcher cimport call
