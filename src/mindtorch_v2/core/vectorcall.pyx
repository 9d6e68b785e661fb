# cython: language_level=3
"""Objects that the interpreter calls with arguments on its stack, without a tuple and a dict around them.

Such a class has the address of a C function as a field, and defines ``__call__`` for the calls that this function leaves
to it. Only compiled files use it.
"""
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_New

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        object (*tp_call)(PyObject *callee, PyObject *args, PyObject *kwargs)
        unsigned long tp_flags
        Py_ssize_t tp_vectorcall_offset
    unsigned long Py_TPFLAGS_HAVE_VECTORCALL
    PyTypeObject *Py_TYPE(PyObject *o)
    void PyType_Modified(type cls)


cdef object packed(PyObject *callee, PyObject **args, Py_ssize_t n, PyObject *names):
    """The same call by ``__call__``, with its arguments in a tuple and a dict."""
    cdef Py_ssize_t i
    cdef tuple given = PyTuple_New(n)
    cdef dict named = None
    for i in range(n):
        mt_set_item(given, i, <object>args[i])
    if names != NULL:
        named = {<object>PyTuple_GET_ITEM(names, i): <object>args[n + i] for i in range(PyTuple_GET_SIZE(names))}
    return Py_TYPE(callee).tp_call(callee, <PyObject *>given, NULL if named is None else <PyObject *>named)


cdef install(type cls, Py_ssize_t offset):
    """Have the interpreter enter the instances of a class by the function at this place in each of them."""
    (<PyTypeObject *>cls).tp_vectorcall_offset = offset
    (<PyTypeObject *>cls).tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL
    PyType_Modified(cls)
