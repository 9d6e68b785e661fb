from ...core.geometry cimport wrap_dim
from ...core.tensor cimport ndim_of, numel_of, shape_of
from .reduction cimport sum_type
