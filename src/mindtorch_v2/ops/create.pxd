from ..core cimport geometry
from ..core.tensor cimport Tensor, blank, new_tensor
from ..dispatch cimport road
