from ..core.geometry cimport wrap_dim
from ..core.tensor cimport Tensor
from ..dispatch cimport road
from .view cimport strided
