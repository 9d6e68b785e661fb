from ...core.tensor cimport ndim_of, shape_of
