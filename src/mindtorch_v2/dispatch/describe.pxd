from ..core cimport strided
from ..core.tensor cimport Tensor

cpdef describe(args)
