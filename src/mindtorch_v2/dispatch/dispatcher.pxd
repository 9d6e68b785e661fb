from libc.stdint cimport int64_t

from ..autograd cimport node, op_node
from ..autograd.op_node cimport OpNode
from ..core cimport describe, modes, strided
from ..core.tensor cimport Tensor, count_write, new_tensor
from ..devices.kernel cimport arrays_of
from ..opdef.derivative cimport Derivative
from ..opdef.operator cimport Operator
from ..record cimport rows
from . cimport inplace_and_views, pointwise, python_dispatch, structured, written_memory
cimport cython

cdef int EXECUTED, INPUTS, INTO, KERNEL, TENSORS, VIEW

cpdef call(Operator op, tuple args)
cdef bint is_cpu(place) except -1
cpdef bint is_unobserved()
cpdef bint is_plain()
cpdef int64_t begin_row(Operator op, tuple args) except -2
cpdef end_row(int64_t row)
@cython.locals(wanted=int)
cpdef bint is_shown(Operator op, tuple args) except -1
@cython.locals(inside=bint, device=int, here=int)
cdef call_inside(Operator op, tuple args)
@cython.locals(wanted=int, row=int64_t)
cdef autocasted(Operator op, tuple args)
@cython.locals(wanted=int, row=int64_t)
cdef recorded(Operator op, tuple args)
@cython.locals(sequence=int64_t)
cdef int64_t opened(Operator op, tuple args, int wanted) except -2
cdef route(Operator op, tuple args)
cdef look_through(Operator op, tuple args)
@cython.locals(needs=bint, saved=tuple, step=OpNode)
cpdef differentiated(Operator op, tuple args)
cdef named(Operator op, result)
@cython.locals(i=int)
cdef bint wants_grad(Operator op, tuple args) except -1
cpdef compute(Operator op, tuple args)
cdef asked(Operator op, tuple args)
cpdef compute_plain(Operator op, tuple args)
cpdef run_kernel(Operator op, tuple args)
cdef wrap(array, dtype)
@cython.locals(step=OpNode, backward=Derivative, mask=int, bit=int, i=int)
cdef OpNode begun(Operator op, tuple args, tuple saved)
cdef attach(Operator op, tuple args, OpNode step, result)
