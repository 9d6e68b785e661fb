# What a convolution is: its arrays in one piece, and its sizes, which loops trust. All numbers are checked here.
cimport numpy as cnp
from .arrays cimport PyArray_ISCARRAY, PyArray_ISCARRAY_RO, elements
from .pointwise cimport transcribe

cdef extern from "convolution.h" nogil:
    ctypedef struct Convolution:
        Py_ssize_t n, c, o, groups
        Py_ssize_t[3] kernel, stride, padding, dilation
        Py_ssize_t[3] in_ "in"
        Py_ssize_t[3] out

cdef enum:
    DIMENSIONS = 3
    MOST_REMAINDERS = 64  # modulo the stride, for each of which the gradient of the input is computed by itself
    LARGEST = 1 << 30  # of any size or step: a few of them can be multiplied


cdef inline Py_ssize_t volume(Py_ssize_t* sizes) noexcept nogil:
    return sizes[0] * sizes[1] * sizes[2]


cdef inline cnp.ndarray like(cnp.ndarray a):
    """Memory in one piece for as many numbers of the same type."""
    return cnp.PyArray_SimpleNew(cnp.PyArray_NDIM(a), cnp.PyArray_DIMS(a), cnp.PyArray_TYPE(a))


cdef inline cnp.ndarray held(cnp.ndarray a, int kind):
    """The array itself if it lies in one piece and can be read as it stands, else a copy."""
    if cnp.PyArray_TYPE(a) != kind:
        raise ValueError(f"convolution wants arrays of one dtype, got {a.dtype} among them")
    if PyArray_ISCARRAY_RO(a):
        return a
    cdef cnp.ndarray ordered = like(a)
    transcribe(ordered, a)
    return ordered


cdef inline cnp.ndarray target(cnp.ndarray a, int kind):
    """Where to write a result: the array itself if it lies in one piece, else one to be copied into it afterwards."""
    if cnp.PyArray_TYPE(a) != kind or not cnp.PyArray_ISWRITEABLE(a):
        raise ValueError(f"convolution wants results of one dtype that can be written, got {a.dtype}")
    return a if PyArray_ISCARRAY(a) else like(a)


cdef inline int fill(Py_ssize_t* sizes, object given, int count, Py_ssize_t lowest, Py_ssize_t before) except -1:
    """Numbers for depth, height and width; `before` for those that are not there."""
    cdef int k
    given = tuple(given)
    if len(given) != count:
        raise ValueError(f"convolution: {count} numbers wanted, got {given}")
    for k in range(DIMENSIONS):
        sizes[k] = before if k < DIMENSIONS - count else given[k - DIMENSIONS + count]
        if not lowest <= sizes[k] < LARGEST:
            raise ValueError(f"convolution: {given} cannot be taken")
    elements(sizes[0], sizes[1], sizes[2])
    return 0


cdef inline int describe(Convolution* v, object in_shape, object out_shape, object kernel, object stride,
                         object padding, object dilation, Py_ssize_t groups, bint all_positions) except -1:
    """The sizes of a convolution that takes one shape to the other; gradients may lack the last positions."""
    cdef int k, count = len(kernel)
    cdef Py_ssize_t room
    if not 1 <= count <= DIMENSIONS or len(in_shape) != count + 2 or len(out_shape) != count + 2:
        raise ValueError(f"convolution: {in_shape} by a kernel {kernel} does not give {out_shape}")
    fill(v.kernel, kernel, count, 1, 1)
    fill(v.stride, stride, count, 1, 1)
    fill(v.padding, padding, count, 0, 0)
    fill(v.dilation, dilation, count, 1, 1)
    fill(v.in_, in_shape[2:], count, 0, 1)
    fill(v.out, out_shape[2:], count, 0, 1)
    v.n, v.c, v.o, v.groups = in_shape[0], in_shape[1], out_shape[1], groups
    if v.n != out_shape[0] or groups < 1 or v.c % groups or v.o % groups:
        raise ValueError(f"convolution: {in_shape} in {groups} groups does not give {out_shape}")
    for k in range(DIMENSIONS):
        room = v.in_[k] + 2 * v.padding[k] - 1
        if <double>(v.kernel[k] - 1) * v.dilation[k] > room:
            room = -1
        else:
            room = (room - (v.kernel[k] - 1) * v.dilation[k]) // v.stride[k] + 1
        if v.out[k] > room or (all_positions and v.out[k] != room):
            raise ValueError(f"convolution: {in_shape} by a kernel {kernel} does not give {out_shape}")
    return 0
