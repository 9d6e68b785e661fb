from ...core.geometry cimport expanded, wrap_dim
from ...core.matrix_layout cimport lies
from ...core.tensor cimport blank, is_in_order, ndim_of, numel_of, same_shape, shape_of, strides_of
from .matmul cimport gemm, resolved
