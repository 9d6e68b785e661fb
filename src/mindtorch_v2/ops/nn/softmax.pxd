from ...core.geometry cimport wrap_dim
from ...core.tensor cimport blank, is_in_order, ndim_of, numel_of, same_shape, shape_of
from ...dispatch cimport dispatcher
