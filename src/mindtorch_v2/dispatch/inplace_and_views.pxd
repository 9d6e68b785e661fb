cimport cython

from ..autograd cimport node as nodes
from ..autograd.node cimport Node
from ..core cimport modes
from ..core.fields cimport set_history
from ..core.tensor cimport Tensor, shape_of, share_storage
from ..opdef.operator cimport Operator
from . cimport python_dispatch

@cython.locals(grad=bint)
cpdef tuple before_writing(Operator op, tuple args, bint needs)
cdef bint any_requires(tuple args) except -1
cdef bint requires(value) except -1
cpdef rebase(Operator op, Tensor written, node)
cpdef refresh(Tensor view)
@cython.locals(source=Tensor, root=Tensor, several=bint, kind=int)
cpdef mark_view(Operator op, tuple args, result)
cdef int kind_of_view(bint several)
cdef mark_one(Tensor source, Tensor root, Tensor view, int kind)
cpdef adopt_all(Operator op, Node node, tuple args, results)
cpdef bint gets_gradient(Tensor tensor)
cpdef mark_inference(result)
