# cython: language_level=3
"""The way from ``module(x)`` to ``forward``, and to members, without Python's frames; quick_module.py is plain Python's.

Every class of modules gets two functions of the type in place of those by which Python calls methods it looks up. They
take the usual case, and leave modules with hooks, what is watched, and what is not there to ``__call__`` and
``__getattr__``. A class that has such a method of its own, or is given one later, has what Python puts there.
"""
from cpython.dict cimport PyDict_CheckExact, PyDict_GetItemWithError, PyDict_Size
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF

from ...record cimport rows

from ...record import layout

DEF MOST = 8  # arguments of a call on the stack

ctypedef PyObject *(*Call)(PyObject *self, PyObject *args, PyObject *kwargs) except NULL
ctypedef PyObject *(*GetAttribute)(PyObject *self, PyObject *name) except NULL

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        Call tp_call
        GetAttribute tp_getattro
        unsigned long tp_flags
    unsigned long Py_TPFLAGS_METHOD_DESCRIPTOR
    size_t PY_VECTORCALL_ARGUMENTS_OFFSET
    PyTypeObject *Py_TYPE(PyObject *o) noexcept
    PyObject *_PyType_Lookup(PyTypeObject *cls, PyObject *name) noexcept
    PyObject *_PyObject_GenericGetAttrWithDict(PyObject *o, PyObject *name, PyObject *own, int suppress) noexcept
    PyObject *PyErr_Occurred() noexcept
    PyObject *PyTuple_GET_ITEM(PyObject *t, Py_ssize_t i) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject *t) noexcept
    PyObject *PyObject_Vectorcall(PyObject *callee, PyObject **args, size_t n, PyObject *names) except NULL
    PyObject *PyObject_Call(PyObject *callee, PyObject *args, PyObject *kwargs) except NULL
    object PyObject_GenericGetDict(PyObject *o, void *context)
    bint PyDict_Check(object o) noexcept
    void PyType_Modified(type cls)

cdef int STACKS = layout.STACKS, TRACED = layout.STACKS | layout.MODULES
cdef tuple HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
cdef tuple MEMBERS = ("_parameters", "_modules", "_buffers")
cdef tuple common_hooks = ()  # on all modules
cdef object plain_call = None, plain_getattr = None
cdef Call call_slot = NULL  # what Python puts there for classes with these methods
cdef GetAttribute getattr_slot = NULL


def prepare(type cls not None, tuple hooks not None):
    """Note the class of all modules and the tables of hooks on all of them."""
    global plain_call, plain_getattr, call_slot, getattr_slot, common_hooks
    common_hooks, plain_call, plain_getattr = hooks, cls.__call__, cls.__getattr__
    call_slot, getattr_slot = (<PyTypeObject *>cls).tp_call, (<PyTypeObject *>cls).tp_getattro


def install(cls):
    """Have the interpreter enter the modules of a class here, unless it does these things in a way of its own."""
    if not isinstance(cls, type):  # it may have a metaclass
        raise TypeError(f"modules have a class, not {cls!r}")
    cdef PyTypeObject *slots = <PyTypeObject *><PyObject *>cls
    if slots.tp_call == call_slot and has(slots, "__call__", plain_call):
        slots.tp_call = call
    if (slots.tp_getattro == getattr_slot and has(slots, "__getattr__", plain_getattr)
            and has(slots, "__getattribute__", object.__getattribute__)):
        slots.tp_getattro = find
    PyType_Modified(<type>cls)


cdef bint has(PyTypeObject *cls, str name, object method) noexcept:
    """Whether a class has this method of all, and no other."""
    return _PyType_Lookup(cls, <PyObject *>name) == <PyObject *>method


cdef PyObject *call(PyObject *self, PyObject *args, PyObject *kwargs) except NULL:
    """``module(...)``: forward, where neither hooks nor stacks are asked for."""
    cdef PyObject *stack[MOST + 1]
    cdef Py_ssize_t i, n = PyTuple_GET_SIZE(args)
    cdef PyObject *method
    own = PyObject_GenericGetDict(self, NULL)
    if rows.listening() & TRACED or has_hooks(<dict>own):
        return call_slot(self, args, kwargs)
    method = _PyType_Lookup(Py_TYPE(self), <PyObject *>"forward")
    if kwargs != NULL or n > MOST or not is_plain_method(method) or "forward" in <dict>own:
        forward = (<object>self).forward
        return PyObject_Call(<PyObject *>forward, args, kwargs)
    forward = <object>method  # it lives until it returns, whatever becomes of the class
    stack[0] = self
    for i in range(n):
        stack[i + 1] = PyTuple_GET_ITEM(args, i)
    return PyObject_Vectorcall(method, stack, n + 1, NULL)


cdef bint is_plain_method(PyObject *method) noexcept:
    """Whether calling this with the object first is the same as calling it as the object's method."""
    return method != NULL and Py_TYPE(method).tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR != 0


cdef bint has_hooks(dict own) except -1:
    """Whether a module has hooks, or has not been made to the end."""
    cdef PyObject *table
    for hooks in common_hooks:
        if PyDict_Size(hooks):
            return True
    for name in HOOKS:
        table = PyDict_GetItemWithError(own, name)
        if table == NULL or not PyDict_Check(<object>table) or PyDict_Size(<object>table):
            return True
    return False


cdef PyObject *find(PyObject *self, PyObject *name) except NULL:
    """``module.name``: an attribute as any object has them, or a member of its tables."""
    cdef PyObject *value
    cdef PyObject *table
    if rows.listening() & STACKS:
        return getattr_slot(self, name)
    value = _PyObject_GenericGetAttrWithDict(self, name, NULL, 1)
    if value != NULL:
        return value
    if PyErr_Occurred() != NULL:
        return NULL  # another error than that it is missing
    own = PyObject_GenericGetDict(self, NULL)
    for kind in MEMBERS:
        table = PyDict_GetItemWithError(<dict>own, kind)
        if table == NULL or not PyDict_CheckExact(<object>table):
            break
        value = PyDict_GetItemWithError(<object>table, <object>name)
        if value != NULL:
            Py_INCREF(<object>value)
            return value
    return getattr_slot(self, name)
