cpdef bint run_numpy_loop(function, out, first, second=*) except -1
cpdef bint reduce_by_numpy_loop(function, out, source, Py_ssize_t outer, Py_ssize_t n, Py_ssize_t inner) except -1
