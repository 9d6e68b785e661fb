# cython: language_level=3, boundscheck=False, wraparound=False
"""Arrays by geometry through NumPy's C interface; strided.py is the same in plain Python."""
cimport numpy as cnp
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from .geometry import contiguous_strides

cnp.import_array()

cdef extern from "Python.h":
    void PyType_Modified(type t)
    Py_ssize_t Py_REFCNT(object o) noexcept
    int PyDict_SetItem(object d, object k, object v) except -1
    ctypedef struct PyTypeObject:
        PyObject *tp_dict
        unsigned long tp_flags
        const char *tp_name
    unsigned long Py_TPFLAGS_METHOD_DESCRIPTOR

cdef extern from "numpy/arrayobject.h":
    object PyArray_NewFromDescr(type subtype, cnp.dtype descr, int nd, cnp.npy_intp *dims, cnp.npy_intp *strides,
                                void *data, int flags, object obj)
    Py_ssize_t PyDataType_ELSIZE(cnp.dtype d)
    object PyArray_Empty(int nd, cnp.npy_intp *dims, cnp.dtype descr, int fortran)
    int PyArray_CopyInto(cnp.ndarray into, cnp.ndarray source) except -1
    int PyArray_SETITEM(cnp.ndarray arr, char *place, object value) except -1
    int PyArray_SetBaseObject(cnp.ndarray arr, object obj) except -1
    int NPY_ARRAY_WRITEABLE

cdef object view(object array, object dtype, object shape, object strides, Py_ssize_t offset_bytes):
    """An array of the given geometry over the memory that starts at ``array``'s first byte plus an offset."""
    cdef cnp.ndarray a = <cnp.ndarray>array
    cdef cnp.npy_intp dims[64]
    cdef cnp.npy_intp steps[64]
    cdef int nd = len(shape), i
    for i in range(nd):
        dims[i] = shape[i]
        steps[i] = strides[i]
    Py_INCREF(dtype)
    made = PyArray_NewFromDescr(cnp.ndarray, <cnp.dtype>dtype, nd, dims, steps,
                                <char *>cnp.PyArray_DATA(a) + offset_bytes, NPY_ARRAY_WRITEABLE, None)
    Py_INCREF(array)
    PyArray_SetBaseObject(<cnp.ndarray>made, array)
    return made

cdef object window(object array, object dtype, tuple shape, tuple strides, Py_ssize_t offset):
    """The same with strides and offset counted in elements, as torch counts them."""
    cdef cnp.ndarray a = <cnp.ndarray>array
    cdef cnp.npy_intp dims[64]
    cdef cnp.npy_intp steps[64]
    cdef int nd = len(shape), i
    cdef Py_ssize_t size = PyDataType_ELSIZE(<cnp.dtype>dtype)
    if nd > 64 or len(strides) != nd:
        raise ValueError(f"mismatch in length of strides and shape: {shape} and {strides}")
    for i in range(nd):
        dims[i] = shape[i]
        steps[i] = <Py_ssize_t>strides[i] * size
    Py_INCREF(dtype)
    made = PyArray_NewFromDescr(cnp.ndarray, <cnp.dtype>dtype, nd, dims, steps,
                                <char *>cnp.PyArray_DATA(a) + offset * size, NPY_ARRAY_WRITEABLE, None)
    Py_INCREF(array)
    PyArray_SetBaseObject(<cnp.ndarray>made, array)
    return made

cdef object empty(object shape, object dtype):
    cdef cnp.npy_intp dims[64]
    cdef int nd = len(shape), i
    for i in range(nd):
        dims[i] = shape[i]
    Py_INCREF(dtype)
    return PyArray_Empty(nd, dims, <cnp.dtype>dtype, 0)

cdef object empty_as(object array, object dtype):
    """An array without values in another's shape, row by row."""
    Py_INCREF(dtype)
    return PyArray_Empty(cnp.PyArray_NDIM(<cnp.ndarray>array), cnp.PyArray_DIMS(<cnp.ndarray>array), <cnp.dtype>dtype, 0)

cdef object scalar(object value, object dtype):
    """An array without dimensions that holds one number."""
    Py_INCREF(dtype)
    made = PyArray_Empty(0, NULL, <cnp.dtype>dtype, 0)
    PyArray_SETITEM(<cnp.ndarray>made, <char *>cnp.PyArray_DATA(<cnp.ndarray>made), value)
    return made

cdef object refolded(object array, object owner, object dtype, tuple shape):
    """A row-major array in another shape, over the same memory, which belongs to ``owner``."""
    cdef cnp.npy_intp dims[64]
    cdef int nd = len(shape), i
    for i in range(nd):
        dims[i] = shape[i]
    Py_INCREF(dtype)
    made = PyArray_NewFromDescr(cnp.ndarray, <cnp.dtype>dtype, nd, dims, NULL, cnp.PyArray_DATA(<cnp.ndarray>array),
                                NPY_ARRAY_WRITEABLE, None)
    Py_INCREF(owner)
    PyArray_SetBaseObject(<cnp.ndarray>made, owner)
    return made

cdef bint is_row_major(object array) noexcept:
    """Whether an array has elements and exactly the strides a new one of its shape would have."""
    cdef int i
    cdef cnp.npy_intp step = cnp.PyArray_ITEMSIZE(<cnp.ndarray>array)
    for i in range(cnp.PyArray_NDIM(<cnp.ndarray>array) - 1, -1, -1):
        if cnp.PyArray_STRIDE(<cnp.ndarray>array, i) != step:
            return False
        step *= cnp.PyArray_DIM(<cnp.ndarray>array, i)
    return step != 0

cdef int64_t address(object array) noexcept:
    return <int64_t>cnp.PyArray_DATA(<cnp.ndarray>array)

cdef int64_t nbytes(object array) noexcept:
    return cnp.PyArray_NBYTES(<cnp.ndarray>array)

cdef bint same_shape(object a, object b) noexcept:
    cdef int nd = cnp.PyArray_NDIM(<cnp.ndarray>a), i
    if nd != cnp.PyArray_NDIM(<cnp.ndarray>b):
        return False
    for i in range(nd):
        if cnp.PyArray_DIM(<cnp.ndarray>a, i) != cnp.PyArray_DIM(<cnp.ndarray>b, i):
            return False
    return True

cdef bint has_shape(object array, tuple shape):
    """Whether an array has a shape that is known as a tuple."""
    cdef int nd = cnp.PyArray_NDIM(<cnp.ndarray>array), i
    if nd != len(shape):
        return False
    for i in range(nd):
        if cnp.PyArray_DIM(<cnp.ndarray>array, i) != <Py_ssize_t>shape[i]:
            return False
    return True

cdef bint is_array(object value) noexcept:
    return cnp.PyArray_Check(value)

cdef bint is_contiguous(object array) noexcept:
    return cnp.PyArray_IS_C_CONTIGUOUS(<cnp.ndarray>array)

cdef Py_ssize_t extent(object array, int dim) noexcept:
    return cnp.PyArray_DIM(<cnp.ndarray>array, dim)

cdef Py_ssize_t step(object array, int dim) noexcept:
    """Bytes from one index of a dimension to the next."""
    return cnp.PyArray_STRIDE(<cnp.ndarray>array, dim)

cdef Py_ssize_t itemsize(object array) noexcept:
    return cnp.PyArray_ITEMSIZE(<cnp.ndarray>array)

cdef Py_ssize_t size(object array) noexcept:
    return cnp.PyArray_SIZE(<cnp.ndarray>array)

cdef int ndim(object array) noexcept:
    return cnp.PyArray_NDIM(<cnp.ndarray>array)

cdef tuple shape(object array):
    cdef int i, nd = cnp.PyArray_NDIM(<cnp.ndarray>array)
    cdef cnp.npy_intp *dims = cnp.PyArray_DIMS(<cnp.ndarray>array)
    if nd == 2:
        return (dims[0], dims[1])
    if nd == 1:
        return (dims[0],)
    if nd == 3:
        return (dims[0], dims[1], dims[2])
    if nd == 0:
        return ()
    return tuple([dims[i] for i in range(nd)])

cdef tuple strides(object array):
    """Strides counted in elements, as torch counts them."""
    cdef int i, nd = cnp.PyArray_NDIM(<cnp.ndarray>array)
    cdef Py_ssize_t size = cnp.PyArray_ITEMSIZE(<cnp.ndarray>array)
    cdef cnp.npy_intp *steps = cnp.PyArray_STRIDES(<cnp.ndarray>array)
    if nd == 0:
        return ()
    if cnp.PyArray_SIZE(<cnp.ndarray>array) == 0 and not any(array.strides):
        return contiguous_strides(array.shape)  # NumPy gives a new array without elements no strides
    if nd == 1:
        return (steps[0] // size,)
    if nd == 2:
        return (steps[0] // size, steps[1] // size)
    if nd == 3:
        return (steps[0] // size, steps[1] // size, steps[2] // size)
    return tuple([steps[i] // size for i in range(nd)])

cdef Py_ssize_t references(object value) noexcept:
    """How many hold an object, the caller's own variable among them."""
    return Py_REFCNT(value)

cdef bint is_repeated_row(cnp.ndarray a) noexcept:
    """Whether a matrix shows one row again and again, as an expanded bias does."""
    return cnp.PyArray_NDIM(a) == 2 and cnp.PyArray_STRIDE(a, 0) == 0 \
        and cnp.PyArray_STRIDE(a, 1) == cnp.PyArray_ITEMSIZE(a)

cdef bint copy(object into, object source):
    """Copy what needs no rounding check: one type, or one number. False where NumPy's cast has to do it."""
    cdef cnp.ndarray a = <cnp.ndarray>into, b = <cnp.ndarray>source
    cdef int to = cnp.PyArray_TYPE(a), of = cnp.PyArray_TYPE(b)
    cdef double value
    cdef Py_ssize_t i, size
    if to == of:
        if cnp.PyArray_IS_C_CONTIGUOUS(a) and cnp.PyArray_IS_C_CONTIGUOUS(b) and same_shape(into, source):
            memcpy(cnp.PyArray_DATA(a), cnp.PyArray_DATA(b), cnp.PyArray_NBYTES(a))
        elif cnp.PyArray_IS_C_CONTIGUOUS(a) and is_repeated_row(b) and same_shape(into, source):
            size = cnp.PyArray_DIM(a, 1) * cnp.PyArray_ITEMSIZE(a)
            for i in range(cnp.PyArray_DIM(a, 0)):
                memcpy(<char *>cnp.PyArray_DATA(a) + i * size, cnp.PyArray_DATA(b), size)
        else:
            PyArray_CopyInto(a, b)
        return True
    if cnp.PyArray_SIZE(a) != 1 or cnp.PyArray_SIZE(b) != 1:
        return False
    if of == cnp.NPY_DOUBLE:
        value = (<double *>cnp.PyArray_DATA(b))[0]
    elif of == cnp.NPY_INT64:
        if to != cnp.NPY_FLOAT and to != cnp.NPY_DOUBLE:
            return False
        value = <double>(<int64_t *>cnp.PyArray_DATA(b))[0]
    elif of == cnp.NPY_FLOAT:
        value = (<float *>cnp.PyArray_DATA(b))[0]
    else:
        return False
    if to == cnp.NPY_FLOAT:
        (<float *>cnp.PyArray_DATA(a))[0] = <float>value
    elif to == cnp.NPY_DOUBLE:
        (<double *>cnp.PyArray_DATA(a))[0] = value
    else:
        return False
    return True

cdef object install(object cls, str name, object value):
    """Set an attribute of a compiled class and leave its slots alone, as Python itself would not."""
    PyDict_SetItem(<object>(<PyTypeObject *>cls).tp_dict, name, value)
    PyType_Modified(<type>cls)

def make_view(array, dtype, shape, strides, Py_ssize_t offset_bytes):
    return view(array, dtype, shape, strides, offset_bytes)

def address_of(array):
    return address(array)

def copy_array(into, source):
    return copy(into, source)

def add_attribute(cls, str name, value):
    install(cls, name, value)

def call_as_method(cls):
    """Have Python call the instances of a class that stand on another as it calls functions there: no bound method."""
    (<PyTypeObject *>cls).tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR
    PyType_Modified(<type>cls)

cdef list _class_names = []  # kept: a class only points to its name

def call_class(cls, str name):
    """Give a class the name by which its user knows it, ``torch.dtype``, in reprs, complaints and pickles."""
    text = name.encode()
    _class_names.append(text)
    (<PyTypeObject *>cls).tp_name = text
