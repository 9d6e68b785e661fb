# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Losses by margins, sample by sample: what a right class lacks to lead each other one is a gap."""
cimport numpy as cnp
from .arrays cimport data, data_or_null, elements, extent, into, is_real

import numpy as np

cnp.import_array()

cdef extern from "margins.h" nogil:
    void multi_margin_f32(float*, float*, cnp.int64_t*, float*, Py_ssize_t, Py_ssize_t, int, double) noexcept
    void multi_margin_f64(double*, double*, cnp.int64_t*, double*, Py_ssize_t, Py_ssize_t, int, double) noexcept
    void multi_margin_backward_f32(float*, float*, Py_ssize_t, float*, cnp.int64_t*, float*, Py_ssize_t, Py_ssize_t, int,
                                   double) noexcept
    void multi_margin_backward_f64(double*, double*, Py_ssize_t, double*, cnp.int64_t*, double*, Py_ssize_t, Py_ssize_t,
                                   int, double) noexcept
    void multilabel_margin_f32(float*, float*, float*, cnp.int64_t*, Py_ssize_t, Py_ssize_t, float*,
                               Py_ssize_t*) noexcept
    void multilabel_margin_f64(double*, double*, double*, cnp.int64_t*, Py_ssize_t, Py_ssize_t, double*,
                               Py_ssize_t*) noexcept
    void multilabel_margin_backward_f32(float*, float*, Py_ssize_t, float*, cnp.int64_t*, float*, Py_ssize_t, Py_ssize_t,
                                        float*, Py_ssize_t*) noexcept
    void multilabel_margin_backward_f64(double*, double*, Py_ssize_t, double*, cnp.int64_t*, double*, Py_ssize_t,
                                        Py_ssize_t, double*, Py_ssize_t*) noexcept


cdef class Samples:
    """Scores (samples, classes) that are checked, and the classes that targets name."""
    cdef int kind
    cdef bint single
    cdef Py_ssize_t rows, classes, size
    cdef void* x
    cdef cnp.int64_t* target

    def __cinit__(self, cnp.ndarray x, cnp.ndarray target, bint has_many, Py_ssize_t lowest):
        cdef Py_ssize_t i, count
        self.kind = cnp.PyArray_TYPE(x)
        if not is_real(self.kind):
            raise TypeError(f"margins: float32 or float64 wanted, got {x.dtype}")
        self.single = self.kind == cnp.NPY_FLOAT
        self.rows, self.classes = extent(x, 0), extent(x, 1)
        self.size = elements(self.rows, self.classes, 1)
        self.x = data(x, self.kind, self.size)
        count = self.size if has_many else self.rows
        self.target = <cnp.int64_t*>data(target, cnp.NPY_INT64, count)
        for i in range(count):
            if not lowest <= self.target[i] < self.classes:
                raise IndexError(f"margins: class {self.target[i]} of {self.classes}")

    cdef void* shares(self, cnp.ndarray share) except? NULL:
        """One of each sample, or one for all."""
        return data(share, self.kind, 1 if cnp.PyArray_SIZE(share) == 1 else self.rows)


cdef int check_power(int p) except -1:
    if p != 1 and p != 2:
        raise ValueError(f"margins: gaps or their squares wanted, got p={p}")
    return 0


def multi_margin(cnp.ndarray losses not None, cnp.ndarray x not None, cnp.ndarray target not None, weight, int p,
                 double margin):
    """The sum of all gaps of a sample, or of their squares, over the number of classes."""
    cdef Samples s = Samples(x, target, False, 0)
    check_power(p)
    cdef void* to = into(losses, s.kind, s.rows)
    cdef void* w = data_or_null(weight, s.kind, s.classes)
    with nogil:
        if s.single:
            multi_margin_f32(<float*>to, <float*>s.x, s.target, <float*>w, s.rows, s.classes, p, margin)
        else:
            multi_margin_f64(<double*>to, <double*>s.x, s.target, <double*>w, s.rows, s.classes, p, margin)


def multi_margin_backward(cnp.ndarray slopes not None, cnp.ndarray share not None, cnp.ndarray x not None,
                          cnp.ndarray target not None, weight, int p, double margin):
    """Every class with a gap is pushed down, a sample's own is pulled up as much, times the sample's share."""
    cdef Samples s = Samples(x, target, False, 0)
    check_power(p)
    cdef void* to = into(slopes, s.kind, s.size)
    cdef void* by = s.shares(share)
    cdef Py_ssize_t step = cnp.PyArray_SIZE(share) > 1
    cdef void* w = data_or_null(weight, s.kind, s.classes)
    with nogil:
        if s.single:
            multi_margin_backward_f32(<float*>to, <float*>by, step, <float*>s.x, s.target, <float*>w, s.rows, s.classes,
                                      p, margin)
        else:
            multi_margin_backward_f64(<double*>to, <double*>by, step, <double*>s.x, s.target, <double*>w, s.rows,
                                      s.classes, p, margin)


def multilabel_margin(cnp.ndarray losses not None, cnp.ndarray marks not None, cnp.ndarray x not None,
                      cnp.ndarray target not None):
    """The sum of what a sample's classes, which end with -1, lack to lead all others by one, over the number of
    classes; marks, which come as zeros, become one where a class is a sample's own."""
    cdef Samples s = Samples(x, target, True, -1)
    cdef void* to = into(losses, s.kind, s.rows)
    cdef void* marked = into(marks, s.kind, s.size)
    cdef cnp.ndarray others = np.empty(s.classes, x.dtype), where = np.empty(s.classes, np.intp)
    cdef void* beside = cnp.PyArray_DATA(others)
    cdef Py_ssize_t* places = <Py_ssize_t*>cnp.PyArray_DATA(where)
    with nogil:
        if s.single:
            multilabel_margin_f32(<float*>to, <float*>marked, <float*>s.x, s.target, s.rows, s.classes, <float*>beside,
                                  places)
        else:
            multilabel_margin_f64(<double*>to, <double*>marked, <double*>s.x, s.target, s.rows, s.classes,
                                  <double*>beside, places)


def multilabel_margin_backward(cnp.ndarray slopes not None, cnp.ndarray share not None, cnp.ndarray x not None,
                               cnp.ndarray target not None, cnp.ndarray marks not None):
    """For each gap the other class is pushed down and the sample's own pulled up; slopes come as zeros."""
    cdef Samples s = Samples(x, target, True, -1)
    cdef void* to = into(slopes, s.kind, s.size)
    cdef void* by = s.shares(share)
    cdef Py_ssize_t step = cnp.PyArray_SIZE(share) > 1
    cdef void* marked = data(marks, s.kind, s.size)
    cdef cnp.ndarray others = np.empty(2 * s.classes, x.dtype), where = np.empty(s.classes, np.intp)
    cdef void* beside = cnp.PyArray_DATA(others)
    cdef Py_ssize_t* places = <Py_ssize_t*>cnp.PyArray_DATA(where)
    with nogil:
        if s.single:
            multilabel_margin_backward_f32(<float*>to, <float*>by, step, <float*>s.x, s.target, <float*>marked, s.rows,
                                           s.classes, <float*>beside, places)
        else:
            multilabel_margin_backward_f64(<double*>to, <double*>by, step, <double*>s.x, s.target, <double*>marked,
                                           s.rows, s.classes, <double*>beside, places)
