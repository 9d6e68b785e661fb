from ...core.geometry cimport wrap_dim
from ...core.storage cimport Version
from ...core.tensor cimport offset_of, shape_of, strides_of, window_of
from ...dispatch cimport dispatcher
from .view cimport strided
