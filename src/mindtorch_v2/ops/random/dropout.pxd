from ...core.tensor cimport numel_of, shape_of
