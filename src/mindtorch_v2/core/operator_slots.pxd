cdef class Callable:
    cpdef call1(self, first)
    cpdef call2(self, first, second)

cdef class Operators:
    cdef public Callable add, sub, rsub, mul, div, floor_divide, remainder
    cdef public Callable pow, matmul, neg, absolute, invert, lshift, rshift
    cdef public Callable and_, or_, xor, rand, ror, rxor, positive, rlshift, rrshift, ilshift, irshift
    cdef public Callable eq, ne, lt, le, gt, ge
    cdef public Callable iadd, isub, imul, idiv, ifloordiv, imod, ipow, iand, ior, ixor
    cdef public object rtruediv, rfloordiv, rmod
    cdef public object getitem, setitem, iterate, contains, length
    cdef public object to_bool, to_float, to_int, to_index, to_complex, text, construct, answer, disabled, ask_getitem, ask_setitem

cdef Operators operators
