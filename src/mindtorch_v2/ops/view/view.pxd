cimport cython
from libc.stdint cimport int64_t

from ...core cimport geometry, modes
from ...core.tensor cimport Tensor, alias_of, in_rows, is_row_major, numel_of, offset_of
from ...core.tensor cimport shape_of, strides_of, window_of
from ...dispatch cimport dispatcher
from ...opdef.operator cimport Operator

cpdef refolded(Tensor self, tuple shape)
cpdef viewed(Tensor self, size)
@cython.locals(row=int64_t)
cpdef strided(Tensor self, shape, strides, offset=*)
