# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Products of batches of matrices of whole numbers, in their own type."""
cimport numpy as cnp
from ..pool cimport share_out, stretch
from .arrays cimport data, elements, extent, into, share_of

cnp.import_array()

cdef extern from "whole_products.h" nogil:
    ctypedef struct WholeProduct:
        Py_ssize_t m, n, k
        const void* a
        const void* b
        void* out
    void whole_rows_uint8_t(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_rows_uint16_t(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_rows_uint32_t(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void whole_rows_uint64_t(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept


def multiply_whole(cnp.ndarray out not None, cnp.ndarray a not None, cnp.ndarray b not None):
    """out = a @ b of matrices, or of batches with one dimension before them; arrays in C order, of one type."""
    cdef WholeProduct job
    cdef int kind = cnp.PyArray_TYPE(out), ndim = cnp.PyArray_NDIM(out)
    cdef Py_ssize_t items = 1
    cdef stretch run
    if ndim not in (2, 3) or cnp.PyArray_NDIM(a) != ndim or cnp.PyArray_NDIM(b) != ndim or out.descr.kind not in b"iu":
        raise ValueError(f"whole numbers in two or three dimensions wanted, got {out.dtype} {(<object>out).shape}, "
                         f"{(<object>a).shape}, {(<object>b).shape}")
    if ndim == 3:
        items = extent(out, 0)
    job.m, job.n, job.k = extent(out, ndim - 2), extent(out, ndim - 1), extent(a, ndim - 1)
    job.out = into(out, kind, elements(items, job.m, job.n))
    job.a, job.b = data(a, kind, elements(items, job.m, job.k)), data(b, kind, elements(items, job.k, job.n))
    cdef int size = cnp.PyArray_ITEMSIZE(out)
    if size == 1:
        run = whole_rows_uint8_t
    elif size == 2:
        run = whole_rows_uint16_t
    else:
        run = whole_rows_uint32_t if size == 4 else whole_rows_uint64_t
    with nogil:
        share_out(items * job.m, share_of(job.n * job.k), run, &job)
