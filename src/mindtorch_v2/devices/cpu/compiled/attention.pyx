# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Scaled dot product attention over (B, H, L, E) arrays of any strides: small heads in loops, large ones by BLAS."""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from .arrays cimport PyArray_ISCARRAY, is_real

import numpy as np

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "attention.h" nogil:
    ctypedef struct Head:
        Py_ssize_t l, s, e, ev
        Py_ssize_t q, k, v, o, g
        Py_ssize_t gq, gk, gv, mask_row, mask_column
        int causal
        double scale
    void attention_head_any(bint, void*, void*, void*, void*, void*, void*, Head*, void*)
    void attention_head_backward_any(bint, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, Head*,
                                     void*)
    void score_rows_any(bint, void*, void*, void*, Head*)
    void probability_rows_any(bint, void*, void*, void*, Head*)
    void slope_rows_any(bint, void*, void*, void*, void*, Head*)

cdef extern from "numpy/arrayobject.h":
    bint PyArray_ISBEHAVED_RO(cnp.ndarray a)  # aligned and in this machine's byte order

cdef enum:
    SMALL = 24 * 24 * 24  # l * s * e up to which loops beat four calls of BLAS


cdef inline void* at(cnp.ndarray a, Py_ssize_t b, Py_ssize_t h) noexcept:
    """The first row of one head; None (the absent mask) has none."""
    if a is None:
        return NULL
    return <char*>cnp.PyArray_DATA(a) + b * cnp.PyArray_STRIDE(a, 0) + h * cnp.PyArray_STRIDE(a, 1)


cdef inline Py_ssize_t row(cnp.ndarray a) noexcept:
    return cnp.PyArray_STRIDE(a, 2) // cnp.PyArray_ITEMSIZE(a)


cdef int check_form(cnp.ndarray a, int kind) except -1:
    if cnp.PyArray_NDIM(a) != 4 or cnp.PyArray_TYPE(a) != kind:
        raise ValueError(f"attention wants (B, H, L, E) arrays of one dtype, got {a.dtype} {(<object>a).shape}")
    return 0


cdef cnp.ndarray aligned(cnp.ndarray a, int kind):
    """The array itself if each row lies in one piece and can be read as it stands, else a copy."""
    check_form(a, kind)
    cdef Py_ssize_t size = cnp.PyArray_ITEMSIZE(a)
    if ((cnp.PyArray_STRIDE(a, 3) == size or cnp.PyArray_DIM(a, 3) < 2) and cnp.PyArray_STRIDE(a, 2) % size == 0
            and PyArray_ISBEHAVED_RO(a)):
        return a
    return np.array(a, a.dtype.newbyteorder("="), order="C")


cdef cnp.ndarray target(cnp.ndarray a, int kind):
    """Where to write a result: the array itself if it lies in one piece, else one to be copied into it afterwards."""
    check_form(a, kind)
    return a if PyArray_ISCARRAY(a) else np.empty((<object>a).shape, a.dtype.newbyteorder("="))


cdef cnp.ndarray spread(object mask, cnp.ndarray q, cnp.ndarray k):
    """The mask as something to add, seen as (B, H, L, S); True in a boolean one means: look here."""
    if mask is None:
        return None
    if mask.dtype == bool:
        mask = np.where(mask, 0, -np.inf)
    shape = (cnp.PyArray_DIM(q, 0), cnp.PyArray_DIM(q, 1), cnp.PyArray_DIM(q, 2), cnp.PyArray_DIM(k, 2))
    return np.broadcast_to(np.require(mask, q.dtype, ("ALIGNED",)), shape)


cdef int check(cnp.ndarray q, cnp.ndarray k, cnp.ndarray v) except -1:
    """The sizes the loops rely on."""
    if (cnp.PyArray_DIM(q, 0) != cnp.PyArray_DIM(k, 0) or cnp.PyArray_DIM(q, 0) != cnp.PyArray_DIM(v, 0)
            or cnp.PyArray_DIM(q, 3) != cnp.PyArray_DIM(k, 3) or cnp.PyArray_DIM(k, 2) != cnp.PyArray_DIM(v, 2)
            or cnp.PyArray_DIM(k, 1) != cnp.PyArray_DIM(v, 1) or cnp.PyArray_DIM(k, 1) == 0
            or cnp.PyArray_DIM(q, 1) % cnp.PyArray_DIM(k, 1) != 0):
        shapes = [(<object>a).shape for a in (q, k, v)]
        raise ValueError(f"attention: q, k and v do not fit: {shapes}")
    return 0


cdef int same(cnp.ndarray a, cnp.ndarray shape_of, Py_ssize_t last) except -1:
    """Whether a has this array's shape, with this last size; without it where that is negative."""
    cdef int axis
    cdef bint fits = cnp.PyArray_NDIM(a) == (3 if last < 0 else 4)
    if fits:
        for axis in range(3):
            fits = fits and cnp.PyArray_DIM(a, axis) == cnp.PyArray_DIM(shape_of, axis)
        fits = fits and (last < 0 or cnp.PyArray_DIM(a, 3) == last)
    if not fits:
        raise ValueError(f"attention: {(<object>a).shape} does not fit {(<object>shape_of).shape}")
    return 0


cdef Head describe(cnp.ndarray q, cnp.ndarray k, cnp.ndarray v, cnp.ndarray out, cnp.ndarray mask, bint causal,
                   double scale) noexcept:
    cdef Head h
    h.l, h.s = cnp.PyArray_DIM(q, 2), cnp.PyArray_DIM(k, 2)
    h.e, h.ev = cnp.PyArray_DIM(q, 3), cnp.PyArray_DIM(v, 3)
    h.q, h.k, h.v, h.o = row(q), row(k), row(v), row(out)
    h.g = h.gq = h.gk = h.gv = h.mask_row = h.mask_column = 0
    if mask is not None:
        h.mask_row = cnp.PyArray_STRIDE(mask, 2) // cnp.PyArray_ITEMSIZE(mask)
        h.mask_column = cnp.PyArray_STRIDE(mask, 3) // cnp.PyArray_ITEMSIZE(mask)
    h.causal, h.scale = causal, scale
    return h


cdef void* room(Py_ssize_t elements, cnp.ndarray like) except NULL:
    cdef void* memory = malloc((elements + 1) * cnp.PyArray_ITEMSIZE(like))
    if memory == NULL:
        raise MemoryError
    return memory


def attention(cnp.ndarray out not None, cnp.ndarray logsumexp not None, cnp.ndarray q not None,
              cnp.ndarray k not None, cnp.ndarray v not None, mask, bint is_causal, double scale):
    """softmax(scale q k' + mask) v, and the logarithm of each softmax's sum."""
    cdef int kind = cnp.PyArray_TYPE(q)
    if not is_real(kind):
        return in_float32(attention, 2, out, logsumexp, q, k, v, mask, is_causal, scale)
    cdef cnp.ndarray q_ = aligned(q, kind), k_ = aligned(k, kind), v_ = aligned(v, kind)
    check(q_, k_, v_)
    cdef cnp.ndarray out_ = target(out, kind), added = spread(mask, q_, k_)
    cdef cnp.ndarray lse = np.require(logsumexp, q_.dtype, ("C", "ALIGNED", "WRITEABLE"))
    same(out_, q_, cnp.PyArray_DIM(v_, 3))
    same(lse, q_, -1)
    cdef Head h = describe(q_, k_, v_, out_, added, is_causal, scale)
    if <double>h.l * h.s * (h.e + h.ev) > 2 * SMALL:
        large(out_, lse, q_, k_, v_, added, &h)
    else:
        small(out_, lse, q_, k_, v_, added, &h)
    if out_ is not out:
        out[...] = out_
    if lse is not logsumexp:
        logsumexp[...] = lse


cdef int small(cnp.ndarray out, cnp.ndarray lse, cnp.ndarray q, cnp.ndarray k, cnp.ndarray v, cnp.ndarray mask,
               Head* head) except -1:
    cdef Py_ssize_t b, h, share = cnp.PyArray_DIM(q, 1) // cnp.PyArray_DIM(k, 1)
    cdef bint single = cnp.PyArray_TYPE(q) == cnp.NPY_FLOAT
    cdef void* scratch = room((head.e + 1) * head.s, q)
    for b in range(cnp.PyArray_DIM(q, 0)):
        for h in range(cnp.PyArray_DIM(q, 1)):
            attention_head_any(single, at(out, b, h), at(lse, b, h), at(q, b, h), at(k, b, h // share),
                               at(v, b, h // share), at(mask, b, h), head, scratch)
    free(scratch)
    return 0


cdef tuple by_shared_head(cnp.ndarray k, tuple arrays):
    """(B, H, …) as (B, heads of k, heads of q for each, …), so that one matmul serves a whole batch entry."""
    return tuple([(<object>a).reshape((k.shape[0], k.shape[1], -1) + (<object>a).shape[2:]) for a in arrays])


cdef int large(cnp.ndarray out, cnp.ndarray lse, cnp.ndarray q, cnp.ndarray k, cnp.ndarray v, cnp.ndarray mask,
               Head* head) except -1:
    cdef Py_ssize_t b, h, heads = cnp.PyArray_DIM(q, 1)
    cdef cnp.ndarray scores = np.empty((heads, head.l, head.s), q.dtype)
    cdef char* start = <char*>cnp.PyArray_DATA(scores)
    cdef Py_ssize_t step = cnp.PyArray_STRIDE(scores, 0)
    cdef bint single = cnp.PyArray_TYPE(q) == cnp.NPY_FLOAT
    q5, k5, v5, out5 = by_shared_head(k, (q, k, v, out))
    scores4 = (<object>scores).reshape(k.shape[1], -1, head.l, head.s)
    for b in range(cnp.PyArray_DIM(q, 0)):
        np.matmul(q5[b], k5[b].swapaxes(-1, -2), out=scores4)
        for h in range(heads):
            score_rows_any(single, <void*>(start + h * step), at(lse, b, h), at(mask, b, h), head)
        np.matmul(scores4, v5[b], out=out5[b])
    return 0


def attention_backward(cnp.ndarray gq not None, cnp.ndarray gk not None, cnp.ndarray gv not None,
                       cnp.ndarray grad_out not None, cnp.ndarray q not None, cnp.ndarray k not None,
                       cnp.ndarray v not None, cnp.ndarray out not None, cnp.ndarray logsumexp not None, mask,
                       bint is_causal, double scale):
    """Gradients of attention for q, k and v, which are written."""
    cdef int kind = cnp.PyArray_TYPE(q)
    if not is_real(kind):
        return in_float32(attention_backward, 3, gq, gk, gv, grad_out, q, k, v, out, logsumexp, mask, is_causal, scale)
    cdef cnp.ndarray q_ = aligned(q, kind), k_ = aligned(k, kind), v_ = aligned(v, kind), out_ = aligned(out, kind)
    check(q_, k_, v_)
    cdef cnp.ndarray g = aligned(grad_out, kind), added = spread(mask, q_, k_)
    cdef cnp.ndarray gq_ = target(gq, kind), gk_ = target(gk, kind), gv_ = target(gv, kind)
    cdef cnp.ndarray lse = np.require(logsumexp, q_.dtype, ("C", "ALIGNED"))
    for a, b in ((out_, g), (q_, gq_), (k_, gk_), (v_, gv_)):
        same(b, a, cnp.PyArray_DIM(<cnp.ndarray>a, 3))
    same(out_, q_, cnp.PyArray_DIM(v_, 3))
    same(lse, q_, -1)
    cdef Head h = describe(q_, k_, v_, out_, added, is_causal, scale)
    h.g, h.gq, h.gk, h.gv = row(g), row(gq_), row(gk_), row(gv_)
    gk_[...] = 0
    gv_[...] = 0
    if <double>h.l * h.s * (h.e + h.ev) > 2 * SMALL:
        large_backward(gq_, gk_, gv_, g, q_, k_, v_, out_, lse, added, &h)
    else:
        small_backward(gq_, gk_, gv_, g, q_, k_, v_, out_, lse, added, &h)
    for asked, given in ((gq, gq_), (gk, gk_), (gv, gv_)):
        if asked is not given:
            asked[...] = given


cdef int small_backward(cnp.ndarray gq, cnp.ndarray gk, cnp.ndarray gv, cnp.ndarray g, cnp.ndarray q, cnp.ndarray k,
                        cnp.ndarray v, cnp.ndarray out, cnp.ndarray lse, cnp.ndarray mask, Head* head) except -1:
    cdef Py_ssize_t b, h, kv, share = cnp.PyArray_DIM(q, 1) // cnp.PyArray_DIM(k, 1)
    cdef bint single = cnp.PyArray_TYPE(q) == cnp.NPY_FLOAT
    cdef void* scratch = room((head.e + head.ev + 2 * head.l + 1) * head.s + head.e + head.ev, q)
    for b in range(cnp.PyArray_DIM(q, 0)):
        for h in range(cnp.PyArray_DIM(q, 1)):
            kv = h // share
            attention_head_backward_any(single, at(gq, b, h), at(gk, b, kv), at(gv, b, kv), at(g, b, h), at(q, b, h),
                                        at(k, b, kv), at(v, b, kv), at(out, b, h), at(lse, b, h), at(mask, b, h),
                                        head, scratch)
    free(scratch)
    return 0


cdef int large_backward(cnp.ndarray gq, cnp.ndarray gk, cnp.ndarray gv, cnp.ndarray g, cnp.ndarray q, cnp.ndarray k,
                        cnp.ndarray v, cnp.ndarray out, cnp.ndarray lse, cnp.ndarray mask, Head* head) except -1:
    cdef Py_ssize_t b, h, heads = cnp.PyArray_DIM(q, 1)
    cdef cnp.ndarray p = np.empty((heads, head.l, head.s), q.dtype), slopes = np.empty((heads, head.l, head.s), q.dtype)
    cdef char* p_start = <char*>cnp.PyArray_DATA(p)
    cdef char* slope_start = <char*>cnp.PyArray_DATA(slopes)
    cdef Py_ssize_t step = cnp.PyArray_STRIDE(p, 0)
    cdef bint single = cnp.PyArray_TYPE(q) == cnp.NPY_FLOAT
    gq5, g5, q5, k5, v5 = by_shared_head(k, (gq, g, q, k, v))
    p4, slopes4 = ((<object>a).reshape(k.shape[1], -1, head.l, head.s) for a in (p, slopes))
    for b in range(cnp.PyArray_DIM(q, 0)):
        np.matmul(q5[b], k5[b].swapaxes(-1, -2), out=p4)
        np.matmul(g5[b], v5[b].swapaxes(-1, -2), out=slopes4)
        for h in range(heads):
            probability_rows_any(single, <void*>(p_start + h * step), at(lse, b, h), at(mask, b, h), head)
            slope_rows_any(single, <void*>(slope_start + h * step), <void*>(p_start + h * step), at(g, b, h),
                           at(out, b, h), head)
        np.matmul(slopes4, k5[b], out=gq5[b])
        (<object>gk)[b] = np.matmul(slopes4.swapaxes(-1, -2), q5[b]).sum(axis=1)
        (<object>gv)[b] = np.matmul(p4.swapaxes(-1, -2), g5[b]).sum(axis=1)
    return 0
