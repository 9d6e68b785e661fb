# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Convolutions of (N, C, *spatial) arrays: in loops over padded images, or panels of columns and products of matrices."""
cimport numpy as cnp
from ..pool cimport share_out
from .arrays cimport data, is_real
from .matrices cimport multiply_into
from .pointwise cimport transcribe
from .convolution_choice cimport covers_all, is_pointwise, suits_channels, suits_pairs, suits_pixels, suits_rows, work_of
from .depthwise_last cimport forward_of_channels, input_grad_of_channels, weight_grad_of_channels
from .pixel_convolution cimport as_floats, can_go_back, forward_by_pixels, input_grad_by_pixels, takes_pairs
from .convolution_sizes cimport Convolution, describe, held, target, volume

import numpy as np

from ..half_precision import in_float32, is_half
from ..reference import convolution as reference

cnp.import_array()

cdef extern from "columns.h" nogil:
    void gather_columns_any(bint, void*, Py_ssize_t, void*, Convolution*, Py_ssize_t, Py_ssize_t, Py_ssize_t)
    void scatter_columns_any(bint, void*, Py_ssize_t, void*, Convolution*, Py_ssize_t, Py_ssize_t, Py_ssize_t)
    void turn_items_any(bint, void*, void*, Py_ssize_t, Py_ssize_t, Py_ssize_t, Py_ssize_t, bint)
    void add_bias_any(bint, void*, void*, Py_ssize_t, Py_ssize_t)

cdef extern from "direct_convolution.h" nogil:
    ctypedef struct Pieces:
        const Convolution *v
        void *out
        void *x
        void *weight
        void *bias
        int axis
        Py_ssize_t lines, bands
        int lacks_memory
    Py_ssize_t pieces_of(const Pieces *job)
    void prepare_forward(Pieces *job) noexcept
    void prepare_input_grad(Pieces *job) noexcept
    void forward_pieces_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void forward_pieces_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void input_grad_pieces_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void input_grad_pieces_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept

cdef extern from "direct_weight_grad.h" nogil:
    ctypedef struct WeightPieces:
        const Convolution *v
        void *sums
        void *grad
        void *x
        Py_ssize_t items, parts
        int lacks_memory
    void part_items(WeightPieces *job) noexcept
    void weight_grad_pieces_f32(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void weight_grad_pieces_f64(void *job, Py_ssize_t begin, Py_ssize_t end) noexcept
    void add_parts_any(bint, void*, Py_ssize_t, Py_ssize_t) noexcept

cdef enum:
    PANEL = 192 * 1024  # elements of a panel of columns: it stays in the second cache
    LARGEST_PANEL = 2048 * 1024  # where products of panels are added up
    FEWEST_COLUMNS = 256  # of a panel, where it has to be larger than that
    MOVED = 1 << 15  # elements of columns that one thread takes at a time
    WORTH_SHARING = 1 << 19  # multiplications that one thread takes at a time


cdef int describe_by_weight(Convolution* v, cnp.ndarray x, cnp.ndarray y, cnp.ndarray weight, object stride,
                            object padding, object dilation, Py_ssize_t groups, bint all_positions) except -1:
    describe(v, (<object>x).shape, (<object>y).shape, (<object>weight).shape[2:], stride, padding, dilation, groups,
             all_positions)
    if cnp.PyArray_DIM(weight, 0) != v.o or cnp.PyArray_DIM(weight, 1) * groups != v.c:
        raise ValueError(f"convolution: {(<object>weight).shape} does not fit {v.c} channels, {groups} groups")
    return 0


cdef list blocks(Convolution* v, bint adds_up):
    """(first item, items, first column, end): what a panel holds; several items where one has few columns.

    Where products are added up, a panel has so many columns that adding a product costs little beside it.
    """
    cdef Py_ssize_t n, start, length = volume(v.out), rows = v.c // v.groups * volume(v.kernel)
    cdef Py_ssize_t width = max(FEWEST_COLUMNS, PANEL // rows // 16 * 16)
    if adds_up:
        width = max(width, min(2 * (v.o // v.groups), LARGEST_PANEL // rows))
    cdef Py_ssize_t items = max(1, width // length)
    if items > 1:
        return [(n, min(items, v.n - n), 0, length) for n in range(0, v.n, items)]
    return [(n, 1, start, min(start + width, length)) for n in range(v.n) for start in range(0, length, width)]


cdef class _Panels:
    """One convolution in panels: the columns of a block, and images seen as (outputs of a group, columns)."""
    cdef Convolution v
    cdef bint single
    cdef object columns, beside
    cdef list all
    cdef Py_ssize_t cg, og, rows, length, size

    def __cinit__(self):
        self.columns = self.beside = None

    cdef int begin(self, Convolution* v, cnp.ndarray like, bint adds_up) except -1:
        cdef Py_ssize_t most
        self.v, self.single = v[0], cnp.PyArray_TYPE(like) == cnp.NPY_FLOAT
        self.cg, self.og, self.rows = v.c // v.groups, v.o // v.groups, v.c // v.groups * volume(v.kernel)
        self.length, self.size = volume(v.out), volume(v.in_)
        self.all = blocks(v, adds_up)
        most = max([items * (end - start) for _, items, start, end in self.all])
        self.columns = np.empty(self.rows * most, like.dtype)
        self.beside = np.empty(self.og * most if self.all[0][1] > 1 else 0, like.dtype)
        return 0

    cdef void* item(self, cnp.ndarray a, Py_ssize_t n, Py_ssize_t group, bint is_input) noexcept:
        """The first channel of a group of one item."""
        cdef Py_ssize_t at = ((n * self.v.c + group * self.cg) * self.size if is_input else
                              (n * self.v.o + group * self.og) * self.length)
        return <char*>cnp.PyArray_DATA(a) + at * cnp.PyArray_ITEMSIZE(a)

    cdef object panel(self, Py_ssize_t cols):
        return self.columns[:self.rows * cols].reshape(self.rows, cols)

    cdef object outputs(self, cnp.ndarray y, Py_ssize_t n, Py_ssize_t items, Py_ssize_t group, Py_ssize_t start,
                        Py_ssize_t end):
        """Where the outputs of a block lie, or room for them where they are of several items."""
        if items > 1:
            return self.beside[:self.og * items * self.length].reshape(self.og, -1)
        return (<object>y).reshape(self.v.n, self.v.groups, self.og, self.length)[n, group, :, start:end]

    cdef void turn(self, cnp.ndarray y, Py_ssize_t n, Py_ssize_t items, Py_ssize_t group, bint back) noexcept:
        """Outputs of several items beside each other, or back to where they belong."""
        if items > 1:
            turn_items_any(self.single, cnp.PyArray_DATA(self.beside), self.item(y, n, group, False), items,
                           self.v.o * self.length, self.og, self.length, back)

    cdef void move(self, cnp.ndarray x, Py_ssize_t n, Py_ssize_t items, Py_ssize_t group, Py_ssize_t start,
                   Py_ssize_t end, bint back) noexcept:
        """Take the columns of a block out of the input, or add them to it."""
        cdef Moved job
        job.v, job.single, job.back, job.channels = &self.v, self.single, back, self.cg
        job.itemsize, job.start, job.end, job.items = cnp.PyArray_ITEMSIZE(x), start, end, items
        job.panel, job.x = <char*>cnp.PyArray_DATA(self.columns), <char*>self.item(x, n, group, True)
        with nogil:
            share_out(items * self.cg, MOVED // (volume(self.v.kernel) * (end - start) + 1) + 1, move_channels, &job)


cdef struct Moved:
    # the columns of a block: a panel (channel, place of the kernel, item, position), and the first item's channels
    Convolution* v
    bint single, back
    Py_ssize_t channels, itemsize, start, end, items
    char* panel
    char* x


cdef void move_channels(void* job, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
    """Some channels of all items: each has rows of the panel to itself."""
    cdef Moved* m = <Moved*>job
    cdef Py_ssize_t i, item, channel, places = volume(m.v.kernel), cols = m.end - m.start
    cdef void* panel
    cdef void* x
    for i in range(begin, end):
        item, channel = i // m.channels, i % m.channels
        panel = m.panel + (channel * places * m.items + item) * cols * m.itemsize
        x = m.x + (item * m.v.c + channel) * volume(m.v.in_) * m.itemsize
        if m.back:
            scatter_columns_any(m.single, panel, m.items * cols, x, m.v, 1, m.start, m.end)
        else:
            gather_columns_any(m.single, panel, m.items * cols, x, m.v, 1, m.start, m.end)


cdef int forward_by_panels(cnp.ndarray out, cnp.ndarray x, cnp.ndarray weight, Convolution* v) except -1:
    cdef _Panels p = _Panels()
    cdef Py_ssize_t n, items, start, end, group
    if covers_all(v):
        multiply_into((<object>out).reshape(v.n, v.o), (<object>x).reshape(v.n, -1),
                      (<object>weight).reshape(v.o, -1).T, False)
        return 0
    w = (<object>weight).reshape(v.groups, v.o // v.groups, -1)
    if is_pointwise(v) and volume(v.out) >= FEWEST_COLUMNS:
        multiply_into((<object>out).reshape(v.n, v.groups, v.o // v.groups, -1), w[None],
                      (<object>x).reshape(v.n, v.groups, v.c // v.groups, -1), False)
        return 0
    p.begin(v, x, False)
    for n, items, start, end in p.all:
        for group in range(v.groups):
            p.move(x, n, items, group, start, end, False)
            multiply_into(p.outputs(out, n, items, group, start, end), w[group], p.panel(items * (end - start)), False)
            p.turn(out, n, items, group, True)
    return 0


cdef int input_grad_by_panels(cnp.ndarray gx, cnp.ndarray g, cnp.ndarray weight, Convolution* v) except -1:
    cdef _Panels p = _Panels()
    cdef Py_ssize_t n, items, start, end, group
    if covers_all(v):
        multiply_into((<object>gx).reshape(v.n, -1), (<object>g).reshape(v.n, v.o), (<object>weight).reshape(v.o, -1),
                      False)
        return 0
    w = (<object>weight).reshape(v.groups, v.o // v.groups, -1).transpose(0, 2, 1)
    if is_pointwise(v) and volume(v.out) >= FEWEST_COLUMNS:
        multiply_into((<object>gx).reshape(v.n, v.groups, v.c // v.groups, -1), w[None],
                      (<object>g).reshape(v.n, v.groups, v.o // v.groups, -1), False)
        return 0
    p.begin(v, g, False)
    gx[...] = 0
    for n, items, start, end in p.all:
        for group in range(v.groups):
            p.turn(g, n, items, group, False)
            multiply_into(p.panel(items * (end - start)), w[group], p.outputs(g, n, items, group, start, end), False)
            p.move(gx, n, items, group, start, end, True)
    return 0


cdef int weight_grad_by_panels(cnp.ndarray gw, cnp.ndarray g, cnp.ndarray x, Convolution* v) except -1:
    cdef _Panels p = _Panels()
    cdef Py_ssize_t n, items, start, end, group
    if covers_all(v):
        multiply_into((<object>gw).reshape(v.o, -1), (<object>g).reshape(v.n, v.o).T, (<object>x).reshape(v.n, -1),
                      False)
        return 0
    p.begin(v, g, True)
    sums = (<object>gw).reshape(v.groups, p.og, p.rows)
    for n, items, start, end in p.all:
        for group in range(v.groups):
            p.turn(g, n, items, group, False)
            p.move(x, n, items, group, start, end, False)
            multiply_into(sums[group], p.outputs(g, n, items, group, start, end), p.panel(items * (end - start)).T,
                          n + start > 0)
    return 0


cdef Py_ssize_t chunk_of(Convolution* v, Py_ssize_t pieces) noexcept nogil:
    """How many pieces one thread takes at a time."""
    return <Py_ssize_t>(WORTH_SHARING * pieces / (work_of(v) + 1)) + 1


cdef int forward_in_pieces(cnp.ndarray out, cnp.ndarray x, cnp.ndarray weight, void* bias, Convolution* v) except -1:
    cdef Pieces job
    job.v, job.lacks_memory, job.bias = v, 0, bias
    job.out, job.x, job.weight = cnp.PyArray_DATA(out), cnp.PyArray_DATA(x), cnp.PyArray_DATA(weight)
    prepare_forward(&job)
    with nogil:
        share_out(pieces_of(&job), chunk_of(v, pieces_of(&job)),
                  forward_pieces_f32 if cnp.PyArray_TYPE(x) == cnp.NPY_FLOAT else forward_pieces_f64, &job)
    if job.lacks_memory:
        raise MemoryError
    return 0


cdef int input_grad_in_pieces(cnp.ndarray gx, cnp.ndarray g, cnp.ndarray weight, Convolution* v) except -1:
    cdef Pieces job
    job.v, job.lacks_memory, job.bias = v, 0, NULL
    job.out, job.x, job.weight = cnp.PyArray_DATA(g), cnp.PyArray_DATA(gx), cnp.PyArray_DATA(weight)
    prepare_input_grad(&job)
    with nogil:
        share_out(pieces_of(&job), chunk_of(v, pieces_of(&job)),
                  input_grad_pieces_f32 if cnp.PyArray_TYPE(g) == cnp.NPY_FLOAT else input_grad_pieces_f64, &job)
    if job.lacks_memory:
        raise MemoryError
    return 0


cdef int weight_grad_in_pieces(cnp.ndarray gw, cnp.ndarray g, cnp.ndarray x, Convolution* v) except -1:
    cdef WeightPieces job
    cdef bint single = cnp.PyArray_TYPE(g) == cnp.NPY_FLOAT
    job.v, job.lacks_memory = v, 0
    job.sums, job.grad, job.x = cnp.PyArray_DATA(gw), cnp.PyArray_DATA(g), cnp.PyArray_DATA(x)
    part_items(&job)
    sums = gw if job.parts == 1 else np.empty((job.parts, cnp.PyArray_SIZE(gw)), gw.dtype)
    job.sums = cnp.PyArray_DATA(<cnp.ndarray?>sums)
    with nogil:
        share_out(job.parts * v.groups, chunk_of(v, job.parts * v.groups),
                  weight_grad_pieces_f32 if single else weight_grad_pieces_f64, &job)
        add_parts_any(single, job.sums, job.parts, cnp.PyArray_SIZE(gw))
    if job.lacks_memory:
        raise MemoryError
    if sums is not gw:
        gw[...] = sums[0].reshape((<object>gw).shape)
    return 0


cdef int by_reference(object kernel, tuple args) except -1:
    """Integers, complex and two-byte numbers."""
    if is_half(args[0]):
        in_float32(globals()[kernel.__name__], 1, *args)
    elif args[0].dtype.kind in "iubc":
        kernel(*args)
    else:
        raise TypeError(f"{kernel.__name__}: numbers wanted, got {args[0].dtype}")
    return 0


def convolution(cnp.ndarray out not None, cnp.ndarray x not None, cnp.ndarray weight not None, bias, stride, padding,
                dilation, Py_ssize_t groups):
    """Each output channel is a weighted sum of what the kernel sees in the channels of its group, plus bias."""
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef Convolution v
    cdef cnp.ndarray floats
    if is_real(kind) or takes_pairs(x):
        describe_by_weight(&v, x, out, weight, stride, padding, dilation, groups, False)
    if not is_real(kind):
        if takes_pairs(x) and suits_pairs(&v, x, out, False):
            floats = as_floats(bias, v.o)
            forward_by_pixels(out, x, held(weight, kind), NULL if bias is None else cnp.PyArray_DATA(floats), &v)
        else:
            by_reference(reference.convolution, (out, x, weight, bias, stride, padding, dilation, groups))
        return
    cdef cnp.ndarray w_ = held(weight, kind), b_ = None if bias is None else held(<cnp.ndarray?>bias, kind)
    cdef void* added = NULL if bias is None else data(b_, kind, v.o)
    if suits_channels(&v, x, out):
        forward_of_channels(out, x, w_, added, &v)
        return
    if suits_pixels(&v, x, out, False):
        forward_by_pixels(out, x, w_, added, &v)
        return
    cdef cnp.ndarray x_ = held(x, kind), out_ = target(out, kind)
    cdef bint single = kind == cnp.NPY_FLOAT
    cdef Py_ssize_t n
    if cnp.PyArray_SIZE(out_) == 0:
        return
    if cnp.PyArray_SIZE(w_) == 0:
        out_[...] = 0
    elif suits_rows(&v, False):
        forward_in_pieces(out_, x_, w_, added, &v)
        added = NULL
    else:
        forward_by_panels(out_, x_, w_, &v)
    if added != NULL:
        for n in range(v.n):
            add_bias_any(single, <void*>(<char*>cnp.PyArray_DATA(out_) + n * cnp.PyArray_STRIDE(out_, 0)), added, v.o,
                         volume(v.out))
    if out_ is not out:
        transcribe(out, out_)


def convolution_input_grad(cnp.ndarray grad_input not None, cnp.ndarray grad_output not None,
                           cnp.ndarray weight not None, stride, padding, dilation, Py_ssize_t groups, bias=None):
    """What each input element is given back by the positions that saw it; with a bias for each channel of the input, a
    transposed convolution."""
    cdef int kind = cnp.PyArray_TYPE(grad_output)
    cdef Convolution v
    if is_real(kind) or takes_pairs(grad_output):
        describe_by_weight(&v, grad_input, grad_output, weight, stride, padding, dilation, groups, False)
    if not is_real(kind):
        if takes_pairs(grad_output) and can_go_back(&v) and suits_pairs(&v, grad_output, grad_input, True):
            input_grad_by_pixels(grad_input, grad_output, held(weight, kind), as_floats(bias, v.c), &v)
        else:
            by_reference(reference.convolution_input_grad,
                         (grad_input, grad_output, weight, stride, padding, dilation, groups, bias))
        return
    input_grad_of_floats(grad_input, grad_output, held(weight, kind), &v)
    if bias is not None:
        data(held(<cnp.ndarray?>bias, kind), kind, v.c)
        np.add(grad_input, bias.reshape(-1, *[1] * (cnp.PyArray_NDIM(grad_input) - 2)), out=grad_input)


cdef int input_grad_of_floats(cnp.ndarray grad_input, cnp.ndarray grad_output, cnp.ndarray weight,
                              Convolution* v) except -1:
    cdef int kind = cnp.PyArray_TYPE(grad_output)
    if suits_channels(v, grad_output, grad_input):
        return input_grad_of_channels(grad_input, grad_output, weight, v)
    if can_go_back(v) and suits_pixels(v, grad_output, grad_input, True):
        return input_grad_by_pixels(grad_input, grad_output, weight, None, v)
    cdef cnp.ndarray gx = target(grad_input, kind), g = held(grad_output, kind)
    if cnp.PyArray_SIZE(g) == 0 or cnp.PyArray_SIZE(weight) == 0 or cnp.PyArray_SIZE(gx) == 0:
        gx[...] = 0
    elif suits_rows(v, True):
        input_grad_in_pieces(gx, g, weight, v)
    else:
        input_grad_by_panels(gx, g, weight, v)
    if gx is not grad_input:
        transcribe(grad_input, gx)
    return 0


def convolution_weight_grad(cnp.ndarray grad_weight not None, cnp.ndarray grad_output not None,
                            cnp.ndarray x not None, stride, padding, dilation, Py_ssize_t groups):
    """What each weight is given back, by every position of every item."""
    cdef int kind = cnp.PyArray_TYPE(grad_output)
    cdef Convolution v
    if not is_real(kind):
        by_reference(reference.convolution_weight_grad,
                     (grad_weight, grad_output, x, stride, padding, dilation, groups))
        return
    describe_by_weight(&v, x, grad_output, grad_weight, stride, padding, dilation, groups, False)
    if suits_channels(&v, x, grad_output):
        weight_grad_of_channels(grad_weight, grad_output, x, &v)
        return
    cdef cnp.ndarray gw = target(grad_weight, kind), g = held(grad_output, kind), x_ = held(x, kind)
    cdef bint done = False
    if cnp.PyArray_SIZE(g) == 0 or cnp.PyArray_SIZE(x_) == 0 or cnp.PyArray_SIZE(gw) == 0:
        gw[...] = 0
        done = True
    elif suits_rows(&v, False):
        weight_grad_in_pieces(gw, g, x_, &v)
        # the zeros between the lines, times what is not finite, are not zero
        done = bool(np.isfinite(gw).all())
    if not done:
        weight_grad_by_panels(gw, g, x_, &v)
    if gw is not grad_weight:
        transcribe(grad_weight, gw)
