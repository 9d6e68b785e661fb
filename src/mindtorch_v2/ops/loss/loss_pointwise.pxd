from ...core.tensor cimport blank, is_in_order, numel_of, same_shape, shape_of
from ...dispatch cimport dispatcher
