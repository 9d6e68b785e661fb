# cython: language_level=3, wraparound=False, cdivision=True
"""A call's inputs as describe.pyx writes them down, read again; describe.py keeps what is read here from the start."""
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

from .dtype cimport DType

from . import dtype as dtypes
from .geometry import contiguous_strides

cdef dict DTYPES = {d.code: d for d in dtypes.ALL}


cdef tuple read_inputs(const uint64_t *words, int n):
    """What describe.one() says of each of them."""
    cdef int at = 0
    inputs = []
    while at < n:
        inputs.append(read_one(words, &at))
    return tuple(inputs)


cdef object read_one(const uint64_t *words, int *at):
    cdef uint64_t small = words[at[0]] >> 8
    cdef uint64_t tag = words[at[0]] & 0xff
    cdef double number
    at[0] += 1
    if tag == ord("t"):
        return read_tensor(words, at, small >> 8, DTYPES[small & 0xff])
    if tag == ord("["):
        return ("[]", *[read_one(words, at) for _ in range(small)])
    if tag == ord("i"):
        return <int64_t>words[at[0] - 1] >> 8
    if tag == ord("I"):
        at[0] += 1
        return <int64_t>words[at[0] - 1]
    if tag == ord("f"):
        memcpy(&number, &words[at[0]], 8)
        at[0] += 1
        return ("float", number)
    if tag == ord("s"):
        at[0] += (small + 7) // 8
        return ("str", (<const char *>&words[at[0] - (small + 7) // 8])[:small].decode())
    if tag == ord("b"):
        return ("bool", small == 1)
    if tag == ord("d"):
        return ("code", small)
    if tag == ord("c"):
        return ("code", (<object><void *>small).code)
    return ("code", None) if tag == ord("p") else None


cdef object read_tensor(const uint64_t *words, int *at, int nd, DType dtype):
    cdef int i, size = dtype.numpy.itemsize
    numbers = [<int64_t>words[at[0] + i] for i in range(2 * nd)]
    at[0] += 2 * nd
    shape, in_bytes = tuple(numbers[:nd]), numbers[nd:]
    if 0 in shape and not any(in_bytes):  # NumPy gives a new array without elements no strides
        return (shape, dtype.name, contiguous_strides(shape))
    return (shape, dtype.name, tuple([step // size for step in in_bytes]))
