from ...core cimport geometry
from ...core.geometry cimport wrap_dim
from ...core.memory_overlap cimport is_dense
from ...core.tensor cimport ndim_of, numel_of, shape_of, strides_of
from ...dispatch.dispatcher cimport is_unobserved
from .reduction cimport reduced
