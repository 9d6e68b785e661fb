# The way from arrays of any layout to an elementwise loop: types, sizes and memory are checked here, once (see walk.h).
cimport numpy as cnp
from ..pool cimport share_out
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, refused

cdef extern from "numpy/arrayobject.h":
    int NPY_HALF
    int NPY_USERDEF
    bint PyArray_ISBEHAVED(cnp.ndarray a) nogil  # aligned, in this machine's byte order, writable
    bint PyArray_ISBEHAVED_RO(cnp.ndarray a) nogil  # the same, but it may be read-only

cdef extern from "walk.h" nogil:
    enum: OPERANDS, MOST_DIMS, NOT_HALF, FLOAT16, BFLOAT16
    ctypedef void (*inner_loop)(char *const *at, const Py_ssize_t *steps, Py_ssize_t n, const void *extra) noexcept nogil
    ctypedef struct walk:
        inner_loop run
        const void *extra
        int operands
        int ndim
        int half
        int packs
        int moves
        int is_plain[OPERANDS]
        int in_tiles
        Py_ssize_t itemsize
        Py_ssize_t sizes[MOST_DIMS]
        Py_ssize_t steps[MOST_DIMS][OPERANDS]
        char *base[OPERANDS]
    const inner_loop* move_loops  # by the bytes of an element
    void prepare(walk *w) noexcept
    Py_ssize_t strips_of(const walk *w) noexcept
    Py_ssize_t elements_of_strip(const walk *w) noexcept
    void walk_strips(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void walk_elements(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef enum:
    SHARE = 32_768  # elements that one thread takes at a time, and from which other Python threads may run meanwhile


cdef inline int half_kind(cnp.ndarray a) noexcept:
    """Which half precision an array has; bfloat16 is the one number of two bytes that NumPy does not know itself."""
    cdef int kind = cnp.PyArray_TYPE(a)
    return FLOAT16 if kind == NPY_HALF else BFLOAT16 if kind >= NPY_USERDEF and cnp.PyArray_ITEMSIZE(a) == 2 else NOT_HALF


cdef inline int add_operand(walk *w, int k, cnp.ndarray a, cnp.ndarray out) except -1:
    """Operand k, seen in the shape of the result."""
    cdef int ndim = cnp.PyArray_NDIM(out), lead = ndim - cnp.PyArray_NDIM(a), d
    cdef Py_ssize_t size
    if lead < 0 or not PyArray_ISBEHAVED_RO(a):
        refused(a, cnp.PyArray_SIZE(out))
    for d in range(ndim):
        size = 1 if d < lead else cnp.PyArray_DIM(a, d - lead)
        if size == w.sizes[d]:
            w.steps[d][k] = 0 if d < lead else cnp.PyArray_STRIDE(a, d - lead)
        elif size == 1:
            w.steps[d][k] = 0
        else:
            refused(a, cnp.PyArray_SIZE(out))
    w.base[k] = <char *>cnp.PyArray_DATA(a)
    return 0


cdef inline int begin_walk(walk *w, inner_loop run, const void *extra, int half, cnp.ndarray out) except -1:
    """A walk that writes this array."""
    cdef int d
    if cnp.PyArray_NDIM(out) > MOST_DIMS or not PyArray_ISBEHAVED(out):
        refused(out, cnp.PyArray_SIZE(out))
    w.run, w.extra, w.half, w.ndim, w.operands = run, extra, half, cnp.PyArray_NDIM(out), 1
    for d in range(w.ndim):
        w.sizes[d], w.steps[d][0] = cnp.PyArray_DIM(out, d), cnp.PyArray_STRIDE(out, d)
    w.base[0], w.packs, w.moves, w.itemsize = <char *>cnp.PyArray_DATA(out), False, False, cnp.PyArray_ITEMSIZE(out)
    if half != NOT_HALF:
        w.itemsize = sizeof(float)
    for d in range(OPERANDS):
        w.is_plain[d] = False
    return 0


cdef inline bint is_disjoint(const walk *w, int k) noexcept:
    """Whether operand k lies apart from the result, or element for element in its place."""
    cdef char *low[2]
    cdef char *high[2]
    cdef int d, i, of
    cdef bint is_same = w.base[0] == w.base[k]
    for i in range(2):
        of = k if i else 0
        low[i] = high[i] = w.base[of]
        for d in range(w.ndim):
            if w.steps[d][of] < 0:
                low[i] += w.steps[d][of] * (w.sizes[d] - 1)
            else:
                high[i] += w.steps[d][of] * (w.sizes[d] - 1)
            is_same = is_same and (w.steps[d][0] == w.steps[d][k] or w.sizes[d] == 1)
    return is_same or high[0] < low[1] or high[1] < low[0]


cdef inline bint finish_walk(walk *w, Py_ssize_t total) noexcept:
    """Walk; False where the result lies partly in the memory of what is read, and a copy is needed first."""
    cdef int k
    if total == 0:
        return True
    for k in range(1, w.operands):
        if not is_disjoint(w, k):
            return False
    if total <= SHARE:
        go(w)
    else:
        with nogil:
            go(w)
    return True


cdef inline void go(walk *w) noexcept nogil:
    cdef Py_ssize_t each
    prepare(w)
    if w.ndim == 1:
        share_out(w.sizes[0], SHARE, walk_elements, w)
    else:
        each = elements_of_strip(w)
        share_out(strips_of(w), 1 if each >= SHARE else SHARE // each, walk_strips, w)


cdef inline bint is_apart(cnp.ndarray out, cnp.ndarray a) noexcept:
    """Whether two contiguous arrays share no memory, or all of it from the first element on."""
    cdef char *of_out = <char *>cnp.PyArray_DATA(out)
    cdef char *of_a = <char *>cnp.PyArray_DATA(a)
    return of_a == of_out or of_a >= of_out + cnp.PyArray_NBYTES(out) or of_out >= of_a + cnp.PyArray_NBYTES(a)


cdef inline bint run_at_once(inner_loop run, const void *extra, cnp.ndarray out, tuple operands):
    """Run a loop over a few elements that lie side by side, which is what most calls are; False where they do not."""
    cdef Py_ssize_t n = cnp.PyArray_SIZE(out)
    cdef Py_ssize_t steps[OPERANDS]
    cdef char *at[OPERANDS]
    cdef cnp.ndarray operand
    cdef int k = 0
    if n > SHARE or not PyArray_ISCARRAY(out):
        return False
    at[0], steps[0] = <char *>cnp.PyArray_DATA(out), cnp.PyArray_ITEMSIZE(out)
    for operand in operands:
        if cnp.PyArray_SIZE(operand) != n or cnp.PyArray_NDIM(operand) != cnp.PyArray_NDIM(out) \
                or not PyArray_ISCARRAY_RO(operand) or not is_apart(out, operand):
            return False
        k += 1
        at[k], steps[k] = <char *>cnp.PyArray_DATA(operand), steps[0]
    run(at, steps, n, extra)
    return True


cdef inline int loop_over(const inner_loop* loops, const void *extra, cnp.ndarray out, tuple operands) except -1:
    """Run the float32 or float64 loop of one type for all, which wants its operands side by side."""
    cdef int kind = cnp.PyArray_TYPE(out), k
    cdef int half = half_kind(out)
    cdef walk w
    if kind != cnp.NPY_FLOAT and kind != cnp.NPY_DOUBLE and half == NOT_HALF:
        raise TypeError(f"kernel wants arrays of one floating dtype, got {out.dtype}")
    for k in range(len(operands)):
        if cnp.PyArray_TYPE(<cnp.ndarray?>operands[k]) != kind:
            refused(operands[k], cnp.PyArray_SIZE(out))
    if half == NOT_HALF and run_at_once(loops[1 if kind == cnp.NPY_DOUBLE else 0], extra, out, operands):
        return 0
    begin_walk(&w, loops[1 if kind == cnp.NPY_DOUBLE else 0], extra, half, out)
    w.packs = True
    for k in range(len(operands)):
        add_operand(&w, k + 1, operands[k], out)
    w.operands = len(operands) + 1
    if not finish_walk(&w, cnp.PyArray_SIZE(out)):  # what is read would be written too early: read a copy
        return loop_over(loops, extra, out, tuple([array.copy() for array in operands]))
    return 0
