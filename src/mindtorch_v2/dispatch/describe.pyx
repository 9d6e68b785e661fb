# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""What a row remembers of a call's inputs; describe.py is the same in plain Python.

Inputs are written into a few dozen bytes and looked up by them: only what was never seen before is described in Python.
"""
cimport numpy as cnp
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.tuple cimport PyTuple_Check, PyTuple_GET_ITEM, PyTuple_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

from ..core.dtype cimport DType
from ..core.storage cimport Storage
from ..core.tensor cimport Tensor, identity_of
from ..core cimport strided
from ..record cimport rows

from ..core import device as devices
from ..record.names import inputs

cdef type DEVICE = devices.device, LAYOUT = devices.layout, MEMORY_FORMAT = devices.memory_format
from . import executed

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef enum:
    WORDS = 256  # inputs that need more are described in Python every time
    TENSORS = 16
    INPUTS = 4
    EXECUTED = 64

cdef struct Key:
    uint64_t words[WORDS]
    int n

cdef struct Entry:
    uint64_t hash
    uint64_t *words
    int n
    int number

cdef Entry *table = NULL
cdef Py_ssize_t table_size = 0, n_known = 0


cdef int64_t open_row(int name, int scope, int64_t sequence, args, int wanted, int forward_thread) except -2:
    cdef int64_t row = rows.open_row(name, scope, sequence, described(args) if wanted & INPUTS else -1, forward_thread)
    if wanted & TENSORS:
        note(row, args, 0)
    if wanted & EXECUTED:
        executed.note_given(row, args)
    return row


def open_call(int name, int scope, int64_t sequence, args, int wanted, int forward_thread):
    """Open a row for a call, with as much of its inputs as is wanted."""
    return open_row(name, scope, sequence, args, wanted, forward_thread)


cpdef int described(args) except -1:
    """The number under which these inputs are stored."""
    cdef Key key
    cdef Entry *entry
    cdef uint64_t hash
    key.n = 0
    if not add_all(&key, args):
        return inputs.number(tuple([one(a) for a in args]))
    hash = mixed(&key)
    entry = find(&key, hash)
    if entry == NULL:
        entry = learn(&key, hash, inputs.number(tuple([one(a) for a in args])))
    return entry.number


# ---- a call's inputs as words: a tag with a count or a small value, then the values ---------------------------

cdef bint add_all(Key *key, args) except -1:
    """Write all values behind each other; False if one has no short form."""
    cdef Py_ssize_t i
    if PyTuple_Check(args):
        for i in range(PyTuple_GET_SIZE(args)):
            if not add(key, <object>PyTuple_GET_ITEM(args, i)):
                return False
        return True
    if type(args) is list:
        for i in range(PyList_GET_SIZE(args)):
            if not add(key, <object>PyList_GET_ITEM(args, i)):
                return False
        return True
    return False


cdef bint add(Key *key, value) except -1:
    cdef int overflow = 0
    cdef double number
    if key.n > WORDS - 8:
        return False
    if value is None:
        put(key, ord("n"), 0)
    elif isinstance(value, Tensor):
        return add_tensor(key, <Tensor>value)
    elif value is True or value is False:
        put(key, ord("b"), value is True)
    elif PyLong_CheckExact(value):
        put(key, ord("i"), 0)
        put_word(key, <uint64_t>PyLong_AsLongLongAndOverflow(value, &overflow))
        return overflow == 0
    elif PyFloat_CheckExact(value):
        number = PyFloat_AS_DOUBLE(value)
        put(key, ord("f"), 0)
        memcpy(&key.words[key.n], &number, 8)
        key.n += 1
    elif PyTuple_Check(value) or type(value) is list:
        put(key, ord("["), len(value))
        return add_all(key, value)
    elif type(value) is DType:
        put(key, ord("d"), (<DType>value).code)
    elif type(value) is DEVICE:
        put(key, ord("p"), 0)
    elif type(value) is LAYOUT or type(value) is MEMORY_FORMAT:
        put(key, ord("c"), <uint64_t><void *>value)  # there once for all, so its address says which it is
    elif type(value) is str:
        return add_text(key, value)
    else:
        return False
    return True


cdef bint add_tensor(Key *key, Tensor tensor) except -1:
    cdef cnp.ndarray array = <cnp.ndarray>tensor.array
    cdef int i, nd = cnp.PyArray_NDIM(array)
    if key.n + 2 * nd + 2 > WORDS:
        return False
    put(key, ord("t"), nd << 8 | tensor.dtype.code)
    for i in range(nd):
        put_word(key, <uint64_t>cnp.PyArray_DIMS(array)[i])
    for i in range(nd):
        put_word(key, <uint64_t>cnp.PyArray_STRIDES(array)[i])
    return True


cdef bint add_text(Key *key, str text) except -1:
    cdef Py_ssize_t size
    cdef const char *utf8
    if len(text) > 40 or not text.isascii():
        return False
    utf8 = PyUnicode_AsUTF8AndSize(text, &size)
    put(key, ord("s"), size)
    if size:
        key.words[key.n + (size - 1) // 8] = 0
        memcpy(&key.words[key.n], utf8, size)
        key.n += (size + 7) // 8
    return True


cdef inline void put(Key *key, uint64_t tag, uint64_t small) noexcept:
    put_word(key, small << 8 | tag)


cdef inline void put_word(Key *key, uint64_t word) noexcept:
    key.words[key.n] = word
    key.n += 1


# ---- the table: open addressing, always at most half full ----------------------------------------------------

cdef inline uint64_t mixed(Key *key) noexcept:
    cdef uint64_t hash = key.n
    cdef int i
    for i in range(key.n):
        hash = (hash ^ key.words[i]) * <uint64_t>0x9E3779B97F4A7C15
        hash ^= hash >> 29
    return hash


cdef Entry *find(Key *key, uint64_t hash) noexcept:
    cdef Py_ssize_t at
    if table_size == 0:
        return NULL
    at = hash & (table_size - 1)
    while table[at].words != NULL:
        if table[at].hash == hash and table[at].n == key.n and memcmp(table[at].words, key.words, key.n * 8) == 0:
            return &table[at]
        at = (at + 1) & (table_size - 1)
    return NULL


cdef Entry *learn(Key *key, uint64_t hash, int number) except NULL:
    global n_known
    cdef Entry entry
    if n_known * 2 >= table_size:
        make_room()
    entry.hash, entry.n, entry.number = hash, key.n, number
    entry.words = <uint64_t *>malloc(key.n * 8 + 8)
    if entry.words == NULL:
        raise MemoryError("no memory left to describe a call's inputs")
    memcpy(entry.words, key.words, key.n * 8)
    n_known += 1
    return place(entry)


cdef int make_room() except -1:
    global table, table_size
    cdef Entry *old = table
    cdef Py_ssize_t i, old_size = table_size
    cdef Entry *made = <Entry *>calloc(old_size * 2 if old_size else 1024, sizeof(Entry))
    if made == NULL:
        raise MemoryError("no memory left to describe a call's inputs")
    table, table_size = made, (old_size * 2 if old_size else 1024)
    for i in range(old_size):
        if old[i].words != NULL:
            place(old[i])
    free(old)
    return 0


cdef Entry *place(Entry entry) noexcept:
    cdef Py_ssize_t at = entry.hash & (table_size - 1)
    while table[at].words != NULL:
        at = (at + 1) & (table_size - 1)
    table[at] = entry
    return &table[at]


# ---- what Python sees --------------------------------------------------------------------------------------

cdef int note(int64_t row, args, int slot) except -1:
    """Keep which tensors a call was given, lists opened; the number of the next slot."""
    cdef Storage storage
    for value in args:
        if isinstance(value, Tensor):
            storage = (<Tensor>value).storage
            rows.tensor_given(row, slot, identity_of(<Tensor>value), storage.address if storage.nbytes else 0)
            slot += 1
        elif isinstance(value, (list, tuple)):
            slot = note(row, value, slot)
    return slot


def one(value):
    """One input as a hashable value; profiler/views/inputs.py reads it."""
    if isinstance(value, Tensor):
        return ((<Tensor>value).array.shape, (<Tensor>value).dtype.name, strided.strides((<Tensor>value).array))
    if isinstance(value, (list, tuple)):
        return ("[]", *[one(v) for v in value])
    if isinstance(value, (float, bool, complex, str)):
        return (type(value).__name__, value)  # 1, 1.0 and True are equal, but not the same input
    if value is None or isinstance(value, int):
        return value
    return ("code", getattr(value, "code", None))
