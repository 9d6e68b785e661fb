# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a kernel sees at each position of an image as columns, and columns put back."""
cimport numpy as cnp
from .arrays cimport is_real
from .pointwise cimport transcribe
from .convolution_sizes cimport Convolution, describe, held, target, volume

from ..half_precision import in_float32, is_half
from ..reference import columns as reference

cnp.import_array()

cdef extern from "columns.h" nogil:
    void gather_columns_any(bint, void*, Py_ssize_t, void*, Convolution*, Py_ssize_t, Py_ssize_t, Py_ssize_t)
    void scatter_columns_any(bint, void*, Py_ssize_t, void*, Convolution*, Py_ssize_t, Py_ssize_t, Py_ssize_t)


cdef int by_reference(object kernel, tuple args) except -1:
    """Integers, complex and two-byte numbers."""
    if is_half(args[0]):
        in_float32(globals()[kernel.__name__], 1, *args)
    elif args[0].dtype.kind in "iubc":
        kernel(*args)
    else:
        raise TypeError(f"{kernel.__name__}: numbers wanted, got {args[0].dtype}")
    return 0


cdef inline void* item(cnp.ndarray a, Py_ssize_t n) noexcept:
    return <char*>cnp.PyArray_DATA(a) + n * cnp.PyArray_STRIDE(a, 0)


cdef int describe_columns(Convolution* v, cnp.ndarray image, cnp.ndarray columns, kernel_size, dilation, padding,
                          stride) except -1:
    """The sizes of im2col, which is a convolution's first half."""
    if cnp.PyArray_NDIM(image) < 3:
        raise ValueError(f"convolution: (N, C, *spatial) wanted, got {(<object>image).shape}")
    shape = (<object>image).shape
    steps = zip(shape[2:], kernel_size, dilation, padding, stride)
    positions = tuple([(size + 2 * p - d * (k - 1) - 1) // s + 1 for size, k, d, p, s in steps])
    describe(v, shape, (shape[0], 1, *positions), tuple(kernel_size), stride, padding, dilation, 1, True)
    if (<object>columns).shape != (v.n, v.c * volume(v.kernel), volume(v.out)):
        raise ValueError(f"convolution: {shape} by {kernel_size} has no columns {(<object>columns).shape}")
    return 0


def im2col(cnp.ndarray out not None, cnp.ndarray x not None, kernel_size, dilation, padding, stride):
    """What the kernel sees at each position as a column: (N, C * places of the kernel, positions)."""
    cdef int kind = cnp.PyArray_TYPE(x)
    cdef Convolution v
    cdef Py_ssize_t n
    if not is_real(kind):
        by_reference(reference.im2col, (out, x, kernel_size, dilation, padding, stride))
        return
    cdef cnp.ndarray out_ = target(out, kind), x_ = held(x, kind)
    describe_columns(&v, x_, out_, kernel_size, dilation, padding, stride)
    for n in range(v.n if cnp.PyArray_SIZE(out_) else 0):
        gather_columns_any(kind == cnp.NPY_FLOAT, item(out_, n), volume(v.out), item(x_, n), &v, v.c, 0, volume(v.out))
    if out_ is not out:
        transcribe(out, out_)


def col2im(cnp.ndarray out not None, cnp.ndarray columns not None, kernel_size, dilation, padding, stride):
    """Columns put back to where im2col takes them from; where they overlap they are added up."""
    cdef int kind = cnp.PyArray_TYPE(columns)
    cdef Convolution v
    cdef Py_ssize_t n
    if not is_real(kind):
        by_reference(reference.col2im, (out, columns, kernel_size, dilation, padding, stride))
        return
    cdef cnp.ndarray out_ = target(out, kind), columns_ = held(columns, kind)
    describe_columns(&v, out_, columns_, kernel_size, dilation, padding, stride)
    out_[...] = 0
    for n in range(v.n if cnp.PyArray_SIZE(columns_) else 0):
        scatter_columns_any(kind == cnp.NPY_FLOAT, item(columns_, n), volume(v.out), item(out_, n), &v, v.c, 0,
                            volume(v.out))
    if out_ is not out:
        transcribe(out, out_)
