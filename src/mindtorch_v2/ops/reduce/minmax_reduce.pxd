from ...core.geometry cimport wrap_dim
from ...core.tensor cimport blank, ndim_of, numel_of, shape_of
from ...dispatch cimport dispatcher
from .reduction cimport accumulator, prefill, reduced
