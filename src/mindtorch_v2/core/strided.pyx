# cython: language_level=3, wraparound=False
"""Arrays by geometry through NumPy's C interface; strided.py is the same in plain Python.

Every view is made here, so this is the border: no more dimensions than NumPy has, no size below zero, no element
outside the memory it is said to lie in.
"""
cimport numpy as cnp
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from libc.stdint cimport int64_t

from . cimport array_pool

from .geometry import contiguous_strides, invalid_size, outside_storage, too_many_dims

cnp.import_array()

cdef extern from "Python.h":
    void PyType_Modified(type t)
    Py_ssize_t Py_REFCNT(object o) noexcept
    int PyDict_SetItem(object d, object k, object v) except -1
    int PyObject_GenericSetDict(object o, object value, void *context) except -1
    object PyLong_FromSsize_t(Py_ssize_t value)
    void PyTuple_SET_ITEM(object t, Py_ssize_t at, object value)
    ctypedef struct PyTypeObject:
        PyObject *tp_dict
        object (*tp_alloc)(type cls, Py_ssize_t n)
        unsigned long tp_flags
        const char *tp_name
    unsigned long Py_TPFLAGS_METHOD_DESCRIPTOR
    long long PyLong_AsLongLongAndOverflow(object value, int *overflow) noexcept

cdef extern from "numpy/arrayobject.h":
    object PyArray_NewFromDescr(type subtype, cnp.dtype descr, int nd, cnp.npy_intp *dims, cnp.npy_intp *strides,
                                void *data, int flags, object obj)
    Py_ssize_t PyDataType_ELSIZE(cnp.dtype d)
    object PyArray_Empty(int nd, cnp.npy_intp *dims, cnp.dtype descr, int fortran)
    int PyArray_SETITEM(cnp.ndarray arr, char *place, object value) except -1
    int PyArray_SetBaseObject(cnp.ndarray arr, object obj) except -1
    int PyArray_CHKFLAGS(cnp.ndarray arr, int flags) noexcept
    int NPY_ARRAY_WRITEABLE, NPY_ARRAY_ALIGNED

cdef enum:
    MAX_DIMS = 64  # NumPy's own limit

cdef int fill(object sizes, cnp.npy_intp *into) except -1:
    """Sizes or strides as C numbers; how many there are."""
    cdef Py_ssize_t n = len(sizes), i
    if n > MAX_DIMS:
        raise too_many_dims(n)
    for i in range(n):
        into[i] = sizes[i]
    return n

cdef double EXACT = 2.0**53

cdef bint is_inside(int nd, cnp.npy_intp *dims, cnp.npy_intp *strides, Py_ssize_t offset, Py_ssize_t room) noexcept:
    """Whether a geometry goes forward only and stays within ``room`` elements.

    Counted in floating point, which does not overflow: a double is exact below 2**53, and only memory that does not
    exist, on the meta device, is larger.
    """
    cdef double last = offset
    cdef bint is_empty = False
    cdef int i
    for i in range(nd):
        if dims[i] < 0 or strides[i] < 0:
            return False
        if dims[i] == 0:
            is_empty = True
        else:
            last += (<double>dims[i] - 1) * <double>strides[i]
    if last >= EXACT and not is_empty:
        return offset >= 0 and far_inside(nd, dims, strides, offset, room)
    return offset >= 0 and (is_empty or last < room)

cdef bint far_inside(int nd, cnp.npy_intp *dims, cnp.npy_intp *strides, Py_ssize_t offset, Py_ssize_t room) noexcept:
    """The same beyond what a double counts exactly."""
    cdef long double last = offset
    cdef int i
    for i in range(nd):
        last += (<long double>dims[i] - 1) * <long double>strides[i]
    return last < room

cdef object over(cnp.ndarray memory, object owner, object dtype, int nd, cnp.npy_intp *dims, cnp.npy_intp *steps,
                 Py_ssize_t start):
    """An array over memory from a byte on, which keeps its owner alive and is as writable as that memory."""
    cdef int flags = PyArray_CHKFLAGS(memory, NPY_ARRAY_WRITEABLE) and NPY_ARRAY_WRITEABLE
    cdef cnp.dtype descr = <cnp.dtype?>dtype
    Py_INCREF(descr)
    array = PyArray_NewFromDescr(cnp.ndarray, descr, nd, dims, steps,
                                 <char *>cnp.PyArray_DATA(memory) + start, flags, None)
    Py_INCREF(owner)
    PyArray_SetBaseObject(<cnp.ndarray>array, owner)
    return array

cdef object window(object array, object dtype, tuple shape, tuple strides, Py_ssize_t offset, Py_ssize_t room):
    """An array over the memory that starts at ``array``'s first byte and has ``room`` bytes.

    Strides and offset count elements, as torch counts them.
    """
    cdef cnp.npy_intp dims[MAX_DIMS]
    cdef cnp.npy_intp steps[MAX_DIMS]
    cdef int nd = fill(shape, dims), i
    cdef Py_ssize_t size = PyDataType_ELSIZE(<cnp.dtype?>dtype)
    if fill(strides, steps) != nd or not is_inside(nd, dims, steps, offset, room // size):
        raise outside_storage(shape, strides, offset, size, room)
    for i in range(nd):
        steps[i] *= size
        if dims[i] == 0:
            offset = 0
    try:
        return over(<cnp.ndarray?>array, array, dtype, nd, dims, steps, offset * size)
    except ValueError:
        raise invalid_size(shape) from None

cdef object new_array(int nd, cnp.npy_intp *dims, cnp.dtype dtype):
    """An array without values, row by row."""
    array = array_pool.take(nd, dims, dtype)
    if array is None:
        Py_INCREF(dtype)  # NumPy takes it over
        array = PyArray_Empty(nd, dims, dtype, 0)
    return array

cdef object empty(object shape, object dtype):
    cdef cnp.npy_intp dims[MAX_DIMS]
    cdef int nd = fill(shape, dims)
    try:
        return new_array(nd, dims, <cnp.dtype?>dtype)
    except ValueError:
        raise invalid_size(shape) from None

cdef object empty_as(object array, object dtype):
    """An array without values in another's shape, row by row."""
    return new_array(cnp.PyArray_NDIM(<cnp.ndarray>array), cnp.PyArray_DIMS(<cnp.ndarray>array), <cnp.dtype?>dtype)

cdef object scalar(object value, object dtype):
    """An array without dimensions that holds one number."""
    array = new_array(0, NULL, <cnp.dtype?>dtype)
    PyArray_SETITEM(<cnp.ndarray>array, <char *>cnp.PyArray_DATA(<cnp.ndarray>array), value)
    return array

cdef object refolded(object array, object owner, object dtype, tuple shape):
    """A row-major array in another shape, over the same memory, which belongs to ``owner``."""
    cdef cnp.npy_intp dims[MAX_DIMS]
    cdef int nd = fill(shape, dims), i
    cdef double count = 1
    for i in range(nd):
        count *= dims[i]
    if count != cnp.PyArray_SIZE(<cnp.ndarray>array):
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {array.size}")
    return over(<cnp.ndarray>array, owner, dtype, nd, dims, NULL, 0)

cdef bint is_row_major(object array) noexcept:
    """Whether an array has elements and exactly the strides a new one of its shape would have."""
    cdef int i
    cdef cnp.npy_intp step = cnp.PyArray_ITEMSIZE(<cnp.ndarray>array)
    for i in range(cnp.PyArray_NDIM(<cnp.ndarray>array) - 1, -1, -1):
        if cnp.PyArray_STRIDE(<cnp.ndarray>array, i) != step:
            return False
        step *= cnp.PyArray_DIM(<cnp.ndarray>array, i)
    return step != 0

cdef bint is_int64(object value) noexcept:
    """Whether an int is within 64 bits."""
    cdef int overflow = 0
    PyLong_AsLongLongAndOverflow(value, &overflow)
    return overflow == 0


cdef int64_t address(object array) noexcept:
    return <int64_t>cnp.PyArray_DATA(<cnp.ndarray>array)

cdef int64_t nbytes(object array) except -1:
    return cnp.PyArray_NBYTES(<cnp.ndarray?>array)

cdef int64_t span(object array) except -1:
    """Bytes from an array's first element to behind its last, if a tensor can lie on it."""
    cdef cnp.ndarray a = <cnp.ndarray?>array
    cdef int64_t last = 0
    cdef int i
    if not PyArray_CHKFLAGS(a, NPY_ARRAY_ALIGNED):
        raise ValueError("a tensor cannot lie on an array that is not aligned; make a copy of the array")
    if cnp.PyArray_SIZE(a) == 0:
        return 0
    for i in range(cnp.PyArray_NDIM(a)):
        if cnp.PyArray_STRIDE(a, i) < 0:
            raise ValueError("a tensor cannot lie on an array with negative strides; make a copy of the array")
        last += (cnp.PyArray_DIM(a, i) - 1) * cnp.PyArray_STRIDE(a, i)
    return last + cnp.PyArray_ITEMSIZE(a)

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

cdef int check_dim(cnp.ndarray array, int dim) except -1:
    if dim < 0 or dim >= cnp.PyArray_NDIM(array):
        raise IndexError(f"dimension {dim} of an array of {cnp.PyArray_NDIM(array)} dimensions")
    return dim

cdef Py_ssize_t extent(object array, int dim) except? -1:
    return cnp.PyArray_DIM(<cnp.ndarray>array, check_dim(<cnp.ndarray>array, dim))

cdef Py_ssize_t step(object array, int dim) except? -1:
    """Bytes from one index of a dimension to the next."""
    return cnp.PyArray_STRIDE(<cnp.ndarray>array, check_dim(<cnp.ndarray>array, dim))

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

cdef object shape_as(type cls, object array):
    """The sizes of an array in a class of tuples that adds no fields."""
    cdef int i, nd = cnp.PyArray_NDIM(<cnp.ndarray>array)
    sizes = (<PyTypeObject *>cls).tp_alloc(cls, nd)
    for i in range(nd):
        size = PyLong_FromSsize_t(cnp.PyArray_DIM(<cnp.ndarray>array, i))
        Py_INCREF(size)
        PyTuple_SET_ITEM(sizes, i, size)
    return sizes

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

cdef object install(object cls, str name, object value):
    """Set an attribute of a compiled class and leave its slots alone, as Python itself would not."""
    PyDict_SetItem(<object>(<PyTypeObject *>cls).tp_dict, name, value)
    PyType_Modified(<type>cls)

def make_window(cnp.ndarray array not None, dtype, tuple shape not None, tuple strides not None, Py_ssize_t offset,
                Py_ssize_t room):
    return window(array, dtype, shape, strides, offset, min(room, span(array)))

def make_unread(cnp.ndarray array not None, dtype, tuple shape not None, tuple strides not None, Py_ssize_t room):
    """The same for memory that nobody reads or writes: it may be said to be longer than it is."""
    return window(array, dtype, shape, strides, 0, room)

def make_lent(cnp.ndarray array not None, owner):
    """The same memory as an array of its own, which keeps the owner of the memory alive."""
    return over(array, owner, array.dtype, cnp.PyArray_NDIM(array), cnp.PyArray_DIMS(array),
                cnp.PyArray_STRIDES(array), 0)

def address_of(cnp.ndarray array not None):
    return address(array)

def set_attributes(object owner not None, attributes):
    """Put a dict in the place of the one that holds an object's attributes, as Python does for classes of its own."""
    PyObject_GenericSetDict(owner, attributes, NULL)

def add_attribute(type cls not None, str name not None, value):
    install(cls, name, value)

def call_as_method(type cls not None):
    """Have Python call the instances of a class that stand on another as it calls functions there: no bound method."""
    (<PyTypeObject *>cls).tp_flags |= Py_TPFLAGS_METHOD_DESCRIPTOR
    PyType_Modified(<type>cls)

cdef list _class_names = []  # kept: a class only points to its name

def call_class(type cls not None, str name not None):
    """Give a class the name by which its user knows it, ``torch.dtype``, in reprs, complaints and pickles."""
    text = name.encode()
    _class_names.append(text)
    (<PyTypeObject *>cls).tp_name = text
