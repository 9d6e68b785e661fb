# cython: language_level=3, wraparound=False, boundscheck=False
"""Small arrays whose tensors died, kept for the next results of their size: NumPy takes longer to make an array than a
kernel to fill it. array_pool.py is the same in plain Python, and keeps none.

An array is kept if nobody else can see it: it owns its memory, lies row by row, and has one reference left.
"""
cimport numpy as cnp
from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF, Py_XINCREF

cnp.import_array()

cdef extern from "Python.h":
    Py_ssize_t Py_REFCNT(object o) noexcept

cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyArrayObject_fields:
        PyObject *base
        PyObject *descr
        PyObject *weakreflist
        int flags
    void PyArray_UpdateFlags(cnp.ndarray array, int flags)
    int NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NPY_ARRAY_OWNDATA, NPY_ARRAY_ALIGNED, NPY_ARRAY_WRITEABLE

cdef enum:
    MAX_DIMS = 5  # those with fewer are kept
    MAX_BYTES = 512
    SIZES = 129  # with the last: MAX_BYTES // UNIT + 1
    UNIT = 4  # bytes; sizes in between share a place
    DEPTH = 4  # arrays of a size

cdef struct Kept:
    int count
    PyObject *arrays[DEPTH]

cdef Kept places[MAX_DIMS][SIZES]

cdef object take(int nd, cnp.npy_intp *dims, cnp.dtype dtype):
    """A kept array of these sizes and this type, with any values; None if there is none."""
    cdef Py_ssize_t nbytes = dtype.itemsize
    cdef int i
    if nd >= MAX_DIMS:
        return None
    for i in range(nd):
        if dims[i] <= 0 or dims[i] > MAX_BYTES:
            return None
        nbytes *= dims[i]
        if nbytes > MAX_BYTES:
            return None
    if nbytes > MAX_BYTES:
        return None
    cdef Kept *place = &places[nd][nbytes // UNIT]
    for i in range(place.count):
        if (<PyArrayObject_fields *>place.arrays[i]).descr == <PyObject *>dtype \
                and cnp.PyArray_NBYTES(<cnp.ndarray>place.arrays[i]) == nbytes:
            array = <object>place.arrays[i]
            place.count -= 1
            place.arrays[i] = place.arrays[place.count]
            Py_XDECREF(<PyObject *>array)
            refold(<cnp.ndarray>array, nd, dims)
            return array
    return None

cdef void refold(cnp.ndarray array, int nd, cnp.npy_intp *dims) noexcept:
    """Give an array other sizes, row by row, for as many elements."""
    cdef cnp.npy_intp *sizes = cnp.PyArray_DIMS(array)
    cdef cnp.npy_intp *steps = cnp.PyArray_STRIDES(array)
    cdef cnp.npy_intp step = cnp.PyArray_ITEMSIZE(array)
    cdef bint changed = False
    cdef int i
    for i in range(nd - 1, -1, -1):
        if sizes[i] != dims[i] or steps[i] != step:
            sizes[i] = dims[i]
            steps[i] = step
            changed = True
        step *= dims[i]
    if changed:
        PyArray_UpdateFlags(array, NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_F_CONTIGUOUS)

cdef void keep(object array) noexcept:
    """Take an array from its last owner, whose variable holds it and is about to let it go."""
    if type(array) is not cnp.ndarray or Py_REFCNT(array) != 1:
        return
    cdef PyArrayObject_fields *fields = <PyArrayObject_fields *>array
    cdef int wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_OWNDATA | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE
    if fields.flags & wanted != wanted or fields.base != NULL or fields.weakreflist != NULL:
        return
    cdef Py_ssize_t nbytes = cnp.PyArray_NBYTES(<cnp.ndarray>array)
    cdef int nd = cnp.PyArray_NDIM(<cnp.ndarray>array)
    if nd >= MAX_DIMS or nbytes == 0 or nbytes > MAX_BYTES:
        return
    cdef Kept *place = &places[nd][nbytes // UNIT]
    if place.count < DEPTH:
        Py_XINCREF(<PyObject *>array)
        place.arrays[place.count] = <PyObject *>array
        place.count += 1
