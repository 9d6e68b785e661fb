from ..core.tensor cimport Tensor, blank
from ..dispatch cimport road

cpdef gemm(Tensor out, Tensor mat1, Tensor mat2, beta=*, alpha=*)
