from ...core.tensor cimport blank, ndim_of, numel_of, same_shape, shape_of
from ...dispatch cimport dispatcher
