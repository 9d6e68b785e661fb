# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Scaled dot product attention over (B, H, L, E) arrays of any strides: small heads in loops, large ones by tiles.

Heads, and of large ones some queries at a time, are shared out among threads.
"""
cimport numpy as cnp
from libc.stdlib cimport free, malloc
from ..pool cimport share_out
from .arrays cimport PyArray_ISCARRAY, is_real
from .matrices cimport Product, multiply_items

import numpy as np

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "attention.h" nogil:
    ctypedef struct Head:
        Py_ssize_t l, s, e, ev, first
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
    SMALL = 24 * 24 * 24  # l * s * e up to which loops beat four products
    QUERIES = 64  # of a large head that are looked at together
    WORTH_SHARING = 1 << 19  # multiplications that one thread takes at a time


cdef struct Heads:
    # the heads of an array: where the first is, and the bytes to the next item and the next head
    char* start
    Py_ssize_t item, head


cdef struct Attention:
    Head h
    bint single, is_small
    Py_ssize_t items, heads, share  # heads of q, and how many of them look at one of k
    Py_ssize_t blocks  # of queries of a head
    Py_ssize_t scratch  # elements
    Heads q, k, v, out, lse, mask, g, gq, gk, gv
    bint lacks_memory


cdef Heads heads_of(cnp.ndarray a) noexcept:
    """None (the absent mask) has none."""
    cdef Heads heads
    heads.start, heads.item, heads.head = NULL, 0, 0
    if a is not None:
        heads.start, heads.item = cnp.PyArray_BYTES(a), cnp.PyArray_STRIDE(a, 0)
        heads.head = cnp.PyArray_STRIDE(a, 1)
    return heads


cdef inline char* at(Heads* a, Py_ssize_t b, Py_ssize_t h) noexcept nogil:
    """The first row of one head."""
    return NULL if a.start == NULL else a.start + b * a.item + h * a.head


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
    h.first = h.g = h.gq = h.gk = h.gv = h.mask_row = h.mask_column = 0
    if mask is not None:
        h.mask_row = cnp.PyArray_STRIDE(mask, 2) // cnp.PyArray_ITEMSIZE(mask)
        h.mask_column = cnp.PyArray_STRIDE(mask, 3) // cnp.PyArray_ITEMSIZE(mask)
    h.causal, h.scale = causal, scale
    return h


cdef void begin(Attention* a, Head h, cnp.ndarray q, cnp.ndarray k, cnp.ndarray v, cnp.ndarray out, cnp.ndarray lse,
                cnp.ndarray mask) noexcept:
    a.h, a.single, a.lacks_memory = h, cnp.PyArray_TYPE(q) == cnp.NPY_FLOAT, False
    a.is_small = <double>h.l * h.s * (h.e + h.ev) <= 2 * SMALL or h.e == 0
    a.items, a.heads = cnp.PyArray_DIM(q, 0), cnp.PyArray_DIM(q, 1)
    a.share, a.blocks = a.heads // cnp.PyArray_DIM(k, 1), 1 if a.is_small else (h.l + QUERIES - 1) // QUERIES
    a.q, a.k, a.v, a.out = heads_of(q), heads_of(k), heads_of(v), heads_of(out)
    a.lse, a.mask = heads_of(lse), heads_of(mask)


cdef int share_pieces(Attention* a, bint backward) except -1:
    """All pieces, on as many threads as there are."""
    cdef Py_ssize_t pieces = a.items * (a.heads // a.share if backward else a.heads * a.blocks)
    cdef double work = <double>a.items * a.heads * a.h.l * a.h.s * (a.h.e + a.h.ev) + 1
    cdef Py_ssize_t chunk = <Py_ssize_t>(<double>WORTH_SHARING * pieces / work) + 1
    with nogil:
        share_out(pieces, chunk, backward_pieces if backward else forward_pieces, a)
    if a.lacks_memory:
        raise MemoryError
    return 0


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
    cdef Attention a
    begin(&a, describe(q_, k_, v_, out_, added, is_causal, scale), q_, k_, v_, out_, lse, added)
    a.scratch = (a.h.e + 1) * a.h.s if a.is_small else QUERIES * a.h.s
    share_pieces(&a, False)
    if out_ is not out:
        out[...] = out_
    if lse is not logsumexp:
        logsumexp[...] = lse


cdef void multiply(Attention* a, void* c, Py_ssize_t c_row, void* x, Py_ssize_t x_row, Py_ssize_t x_column, void* y,
                   Py_ssize_t y_row, Py_ssize_t y_column, Py_ssize_t m, Py_ssize_t n, Py_ssize_t k,
                   bint adds) noexcept nogil:
    """c = x y, or c += x y."""
    cdef Product p
    p.is_double, p.is_bfloat16, p.adds, p.m, p.n, p.k = not a.single, False, adds, m, n, k
    p.a, p.b, p.c = <char*>x, <char*>y, <char*>c
    p.a_row, p.a_column, p.b_row, p.b_column, p.c_row = x_row, x_column, y_row, y_column, c_row
    p.a_at = p.b_at = p.c_at = NULL
    if m and n and k:
        multiply_items(&p, 1)


cdef Head some_queries(Attention* a, Py_ssize_t block) noexcept nogil:
    """A block of queries as a head of its own, with the keys that it may look at."""
    cdef Head h = a.h
    h.first = block * QUERIES
    h.l = min(<Py_ssize_t>QUERIES, a.h.l - h.first)
    if h.causal:
        h.s = min(h.s, h.first + h.l)
    return h


cdef inline char* row_of(Attention* a, char* head, Py_ssize_t i, Py_ssize_t row) noexcept nogil:
    return NULL if head == NULL else head + i * row * (sizeof(float) if a.single else sizeof(double))


cdef void forward_pieces(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    cdef Attention* a = <Attention*>job
    cdef Py_ssize_t i, b, head
    cdef void* scratch = malloc((a.scratch + 1) * sizeof(double))
    if scratch == NULL:
        a.lacks_memory = True
        return
    for i in range(begin, end):
        b, head = i // a.blocks // a.heads, i // a.blocks % a.heads
        if a.is_small:
            attention_head_any(a.single, at(&a.out, b, head), at(&a.lse, b, head), at(&a.q, b, head),
                               at(&a.k, b, head // a.share), at(&a.v, b, head // a.share), at(&a.mask, b, head), &a.h,
                               scratch)
        else:
            attend(a, b, head, i % a.blocks, scratch)
    free(scratch)


cdef void attend(Attention* a, Py_ssize_t b, Py_ssize_t head, Py_ssize_t block, void* scores) noexcept nogil:
    """Some queries of one head."""
    cdef Head h = some_queries(a, block)
    cdef char* q = row_of(a, at(&a.q, b, head), h.first, h.q)
    cdef char* k = at(&a.k, b, head // a.share)
    multiply(a, scores, h.s, q, h.q, 1, k, 1, h.k, h.l, h.s, h.e, False)
    score_rows_any(a.single, scores, row_of(a, at(&a.lse, b, head), h.first, 1),
                   row_of(a, at(&a.mask, b, head), h.first, h.mask_row), &h)
    multiply(a, row_of(a, at(&a.out, b, head), h.first, h.o), h.o, scores, h.s, 1, at(&a.v, b, head // a.share), h.v, 1,
             h.l, h.ev, h.s, False)


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
    for like, given in ((out_, g), (q_, gq_), (k_, gk_), (v_, gv_)):
        same(given, like, cnp.PyArray_DIM(<cnp.ndarray>like, 3))
    same(out_, q_, cnp.PyArray_DIM(v_, 3))
    same(lse, q_, -1)
    cdef Head h = describe(q_, k_, v_, out_, added, is_causal, scale)
    h.g, h.gq, h.gk, h.gv = row(g), row(gq_), row(gk_), row(gv_)
    gk_[...] = 0
    gv_[...] = 0
    cdef Attention a
    begin(&a, h, q_, k_, v_, out_, lse, added)
    a.g, a.gq, a.gk, a.gv = heads_of(g), heads_of(gq_), heads_of(gk_), heads_of(gv_)
    a.scratch = (h.e + h.ev + 2 * h.l + 1) * h.s + h.e + h.ev if a.is_small else 2 * QUERIES * h.s
    share_pieces(&a, True)
    for asked, given in ((gq, gq_), (gk, gk_), (gv, gv_)):
        if asked is not given:
            asked[...] = given


cdef void backward_pieces(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Heads of k and v, with all heads of q that look at them: those are added up one after the other."""
    cdef Attention* a = <Attention*>job
    cdef Py_ssize_t i, b, head, kv, block, shared = a.heads // a.share
    cdef void* scratch = malloc((a.scratch + 1) * sizeof(double))
    if scratch == NULL:
        a.lacks_memory = True
        return
    for i in range(begin, end):
        b, kv = i // shared, i % shared
        for head in range(kv * a.share, (kv + 1) * a.share):
            if a.is_small:
                attention_head_backward_any(a.single, at(&a.gq, b, head), at(&a.gk, b, kv), at(&a.gv, b, kv),
                                            at(&a.g, b, head), at(&a.q, b, head), at(&a.k, b, kv), at(&a.v, b, kv),
                                            at(&a.out, b, head), at(&a.lse, b, head), at(&a.mask, b, head), &a.h,
                                            scratch)
            else:
                for block in range(a.blocks):
                    go_back(a, b, head, block, scratch)
    free(scratch)


cdef void go_back(Attention* a, Py_ssize_t b, Py_ssize_t head, Py_ssize_t block, void* scratch) noexcept nogil:
    """The gradients of some queries of one head, and what they add to those of the keys and values."""
    cdef Head h = some_queries(a, block)
    cdef Py_ssize_t kv = head // a.share
    cdef char* p = <char*>scratch
    cdef char* slopes = row_of(a, p, QUERIES, a.h.s)
    cdef char* q = row_of(a, at(&a.q, b, head), h.first, h.q)
    cdef char* g = row_of(a, at(&a.g, b, head), h.first, h.g)
    cdef char* out = row_of(a, at(&a.out, b, head), h.first, h.o)
    multiply(a, p, h.s, q, h.q, 1, at(&a.k, b, kv), 1, h.k, h.l, h.s, h.e, False)
    multiply(a, slopes, h.s, g, h.g, 1, at(&a.v, b, kv), 1, h.v, h.l, h.s, h.ev, False)
    probability_rows_any(a.single, p, row_of(a, at(&a.lse, b, head), h.first, 1),
                         row_of(a, at(&a.mask, b, head), h.first, h.mask_row), &h)
    slope_rows_any(a.single, slopes, p, g, out, &h)
    multiply(a, row_of(a, at(&a.gq, b, head), h.first, h.gq), h.gq, slopes, h.s, 1, at(&a.k, b, kv), h.k, 1, h.l, h.e,
             h.s, False)
    multiply(a, at(&a.gk, b, kv), h.gk, slopes, 1, h.s, q, h.q, 1, h.s, h.e, h.l, True)
    multiply(a, at(&a.gv, b, kv), h.gv, p, 1, h.s, g, h.g, 1, h.s, h.ev, h.l, True)
