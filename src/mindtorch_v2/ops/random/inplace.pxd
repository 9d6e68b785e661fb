from ...core.tensor cimport numel_of, place_of, same_shape, shape_of
