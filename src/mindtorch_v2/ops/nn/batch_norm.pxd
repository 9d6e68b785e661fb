from ...core.tensor cimport is_in_order, ndim_of, numel_of, shape_of, strides_of
