from cpython.object cimport PyObject

cdef extern from "Python.h":
    Py_ssize_t PyVectorcall_NARGS(size_t n)
    PyObject *PyTuple_GET_ITEM(PyObject *t, Py_ssize_t i)
    Py_ssize_t PyTuple_GET_SIZE(PyObject *t)

cdef extern from *:
    """
    /* The items of a new tuple, which takes over a reference to each. */
    #define mt_set_item(t, i, value) (Py_INCREF(value), PyTuple_SET_ITEM(t, i, value))
    """
    void mt_set_item(tuple t, Py_ssize_t i, object value)

cdef object packed(PyObject *callee, PyObject **args, Py_ssize_t n, PyObject *names)
cdef install(type cls, Py_ssize_t offset)
