cdef class Callable:
    cpdef call1(self, first)
    cpdef call2(self, first, second)

cdef class Operators:
    cdef public Callable add, sub, rsub, mul, div, floor_divide, remainder
    cdef public Callable pow, matmul, neg, absolute, invert
    cdef public Callable and_, or_, xor
    cdef public Callable eq, ne, lt, le, gt, ge

cdef Operators operators
