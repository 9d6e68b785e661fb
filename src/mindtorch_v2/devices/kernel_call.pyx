# cython: language_level=3
"""Calls of the CPU's kernels from the interpreter's stack; kernel_call.py is the same in plain Python.

Tensors become their arrays where they stand. Other devices and kinds of tensors are left to ``__call__``.
"""
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF

from ..core cimport modes, vectorcall
from ..core.tensor cimport Tensor
from .cpu cimport errstate

DEF MOST = 16  # arguments

cdef extern from "Python.h":
    object PyObject_Vectorcall(PyObject *callee, PyObject **args, size_t flags, PyObject *names)


cdef class KernelCall:

    def __cinit__(self):
        self.entry = <void *>enter

    def __init__(self, kernel):
        self.is_silent = isinstance(kernel, errstate.Silent)
        self.cpu = (<errstate.Silent>kernel).function if self.is_silent else kernel

    cpdef on_arrays(self, list arrays):
        before = errstate.hush() if self.is_silent else None
        try:
            return self.cpu(*arrays)
        finally:
            if self.is_silent:
                errstate.speak(before)


cdef object enter(PyObject *callee, PyObject **args, size_t flags, PyObject *names):
    """What the interpreter calls: the kernel on arrays."""
    cdef PyObject *arrays[MOST]
    cdef Py_ssize_t i, n = vectorcall.PyVectorcall_NARGS(flags)
    if names != NULL or n > MOST or modes.devices or modes.kinds:
        return vectorcall.packed(callee, args, n, names)
    for i in range(n):
        value = <object>args[i]
        if isinstance(value, Tensor):
            value = (<Tensor>value)._mt_array
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Tensor):
            value = [(<Tensor>item)._mt_array if isinstance(item, Tensor) else item for item in value]
        Py_INCREF(value)  # it lives until the kernel is done, whatever becomes of its tensor
        arrays[i] = <PyObject *>value
    return on_stack(<KernelCall>callee, arrays, n)


cdef object on_stack(KernelCall self, PyObject **arrays, Py_ssize_t n):
    """The kernel on these, which are given up then."""
    cdef Py_ssize_t i
    before = errstate.hush() if self.is_silent else None
    try:
        return PyObject_Vectorcall(<PyObject *>self.cpu, arrays, n, NULL)
    finally:
        for i in range(n):
            Py_DECREF(<object>arrays[i])
        if self.is_silent:
            errstate.speak(before)


def install(type cls not None):
    """Have the interpreter enter the instances of a class, which defines ``__call__`` itself, here."""
    cdef KernelCall instance = KernelCall(None)
    vectorcall.install(cls, <char *>&instance.entry - <char *><PyObject *>instance)
