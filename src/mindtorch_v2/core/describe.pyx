# cython: language_level=3, wraparound=False, cdivision=True
"""What a row remembers of a call's inputs; describe.py is the same in plain Python.

Inputs are written into a few dozen bytes and looked up by them. Python reads those bytes when somebody looks at them;
only inputs without a short form are described in Python at once.
"""
cimport cython
cimport numpy as cnp
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.list cimport PyList_Check
from cpython.long cimport PyLong_Check
from cpython.ref cimport PyObject
from cpython.tuple cimport PyTuple_Check
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from ..record cimport rows
from ..record.rows cimport Given
from . cimport strided
from .dtype cimport DType
from .input_words cimport read_inputs
from .storage cimport Storage
from .tensor cimport Tensor, identity_of

from ..record.names import inputs
from . import device as devices
from . import executed
from .identity import address_of
from .plain_values import plain

cdef type DEVICE = devices.device, LAYOUT = devices.layout, MEMORY_FORMAT = devices.memory_format

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) noexcept  # of ASCII
    bint PyUnicode_IS_ASCII(object text) noexcept
    # Arguments are borrowed: whoever calls holds them, and no Python runs while they are written.
    PyObject *Py_True
    PyObject *Py_TYPE(PyObject *value) noexcept
    PyObject **PySequence_Fast_ITEMS(PyObject *values) noexcept
    Py_ssize_t PySequence_Fast_GET_SIZE(PyObject *values) noexcept

cdef extern from "../record/short_ways.h":
    pass

cdef extern from "small_int.h":
    bint mt_is_small(PyObject *whole) noexcept
    int64_t mt_small(PyObject *whole) noexcept
    int64_t mt_int64(PyObject *whole, int *overflow) noexcept

cdef enum:
    WORDS = 1024  # inputs that need more are described in Python every time
    MOST_OF_ONE = 2 * 64 + 2  # words that one value takes: a tensor of all the dimensions that NumPy has
    DEPTH = 64  # lists in lists: what lies deeper is not looked at
    TENSORS = 16
    INPUTS = 4
    EXECUTED = 64
    CONTEXT_BITS = 12

cdef int64_t SMALL = <int64_t>1 << 54  # what fits beside a tag
cdef uint64_t MIXER = <uint64_t>0x9E3779B97F4A7C15

cdef struct Entry:
    uint64_t hash
    int n, number
    uint64_t words[1]  # in truth n

cdef Entry **table = NULL
cdef Py_ssize_t table_size = 0
cdef list known = []  # those in the table
cdef int64_t times_forgotten = 0
# What was described the last time for an op of the same name after the same two inputs, by a hash of these three.
cdef Entry *expected[1 << CONTEXT_BITS]
cdef uint64_t last_two = 0

# The inputs at hand, and where the next tensor among them is noted (NULL: nowhere). No Python runs while they are
# written and looked up, so all threads share these; where some has run, nothing more is noted here.
cdef uint64_t words[WORDS]
cdef Given given[WORDS]  # a tensor takes a word at least
cdef Given *noted = NULL


cdef int64_t open_row(int name, int scope, int64_t sequence, args, int wanted, int forward_thread) except -2:
    global noted
    cdef int64_t row
    cdef int number = -1, n = -1
    if wanted & INPUTS:
        noted = given if wanted & TENSORS else NULL
        number = described_for(name, args)
        if noted != NULL:
            n = <int>(noted - given)
    row = rows.open_given(name, scope, sequence, number, forward_thread, given, &n)
    if n < 0 and wanted & TENSORS:
        note(row, args, 0, 0)
    if wanted & EXECUTED:
        note_given(row, args)
    return row


cdef int note_given(int64_t row, args) except -1:
    executed.note_given(row, args)
    return 0


def open_call(int name, int scope, int64_t sequence, args, int wanted, int forward_thread):
    """Open a row for a call, with as much of its inputs as is wanted."""
    return open_row(name, scope, sequence, args if PyTuple_Check(args) else tuple(args), wanted, forward_thread)


cpdef int described(args) except -1:
    """The number under which these inputs are stored."""
    global noted
    noted = NULL
    return described_for(0, args if PyTuple_Check(args) or PyList_Check(args) else tuple(args))


cdef inline int described_for(int name, args) except -1:
    """The same for an op of a name, with a note of the tensors where there is room for it."""
    cdef uint64_t *end = add_all(words, <PyObject *>args, 0)
    return number_of(name, <int>(end - words)) if end != NULL else described_in_python(args)


cdef int described_in_python(args) except -1:
    number = inputs.number(tuple([one(a) for a in args]))
    forget_notes()
    return number


cdef void forget_notes() noexcept:
    """Python has run: what was noted may have been written over, or its place have moved."""
    global noted
    noted = NULL


cdef inline int number_of(int name, int n) except -1:
    """The number of the words at hand: programs repeat themselves, so what came next the last time is tried first."""
    global last_two
    cdef uint64_t context = ((last_two ^ <uint64_t>name << 48) * MIXER) >> (64 - CONTEXT_BITS)
    cdef Entry *entry = expected[context]
    if entry == NULL or not is_of(entry, n):
        return looked_up(context, n)
    last_two = last_two << 32 | <unsigned int>entry.number
    return entry.number


cdef int looked_up(uint64_t context, int n) except -1:
    """The number by the table, and what is expected from now on."""
    global last_two
    cdef uint64_t hash = hash_until(words + n)
    cdef Entry *entry = find(hash, n)
    if entry == NULL:
        return learn(hash, n)
    expected[context] = entry
    last_two = last_two << 32 | <unsigned int>entry.number
    return entry.number


# ---- a call's inputs as words: a tag with a count or a small value, then the values ---------------------------

cdef uint64_t *add_all(uint64_t *at, PyObject *args, int depth) noexcept:
    """Write the values of a list or tuple behind each other: where they end, NULL if one has no short form."""
    cdef PyObject **values = PySequence_Fast_ITEMS(args)
    cdef Py_ssize_t i
    for i in range(PySequence_Fast_GET_SIZE(args)):
        if at > words + WORDS - MOST_OF_ONE:
            return NULL
        at = add(at, values[i], depth)
        if at == NULL:
            break
    return at


cdef inline uint64_t *add(uint64_t *at, PyObject *value, int depth) noexcept:
    """One value: the kinds that calls have most of come first."""
    cdef PyObject *kind = Py_TYPE(value)
    if kind == <PyObject *>Tensor:
        return add_tensor(at, <Tensor>value)
    elif value == <PyObject *>None:
        return put(at, ord("n"), 0)
    elif kind == <PyObject *>int:
        return put(at, ord("i"), <uint64_t>mt_small(value)) if mt_is_small(value) else add_int(at, value)
    elif kind == <PyObject *>bool:
        return put(at, ord("b"), value == Py_True)
    elif PyTuple_Check(<object>value) or kind == <PyObject *>list:
        at = put(at, ord("["), PySequence_Fast_GET_SIZE(value))
        return add_all(at, value, depth + 1) if depth < DEPTH else NULL
    elif kind == <PyObject *>DType:
        return put(at, ord("d"), code_of(<DType>value))
    return add_rare(at, value, kind)


cdef uint64_t *add_rare(uint64_t *at, PyObject *value, PyObject *kind) noexcept:
    """A value of a kind that few calls have."""
    cdef double number
    if kind == <PyObject *>float:
        number = PyFloat_AS_DOUBLE(<object>value)
        at = put(at, ord("f"), 0)
        memcpy(at, &number, 8)
        return at + 1
    elif isinstance(<object>value, Tensor):
        return add_tensor(at, <Tensor>value)
    elif kind == <PyObject *>DEVICE:
        return put(at, ord("p"), 0)
    elif kind == <PyObject *>LAYOUT or kind == <PyObject *>MEMORY_FORMAT:
        return put(at, ord("c"), <uint64_t>value)  # there once for all, so its address says which it is
    elif kind == <PyObject *>str:
        return add_text(at, <str>value)
    return NULL


@cython.nonecheck(False)  # its caller looked at its type
cdef inline int code_of(DType dtype) noexcept:
    return dtype.code


@cython.nonecheck(False)  # its caller looked at its type
cdef inline uint64_t *add_tensor(uint64_t *at, Tensor tensor) noexcept:
    """Its type, dimensions and strides in bytes."""
    global noted
    cdef PyObject *array = <PyObject *>tensor._mt_array
    cdef PyObject *storage = <PyObject *>tensor._mt_storage
    cdef int i, nd = cnp.PyArray_NDIM(<cnp.ndarray>array)
    cdef cnp.npy_intp *dims = cnp.PyArray_DIMS(<cnp.ndarray>array)
    cdef cnp.npy_intp *strides = cnp.PyArray_STRIDES(<cnp.ndarray>array)
    if tensor._mt_kind is not None:
        return NULL
    if noted != NULL:
        if storage == <PyObject *>None or (<Storage>storage).device:
            noted = NULL  # asking a device where its memory lies runs Python
        else:
            noted.tensor = tensor._mt_identity or identity_of(tensor)
            noted.storage = (<Storage>storage).address if (<Storage>storage).nbytes else 0
            noted += 1
    at = put(at, ord("t"), nd << 8 | tensor.dtype.code)
    for i in range(nd):
        at[i] = <uint64_t>dims[i]
        at[nd + i] = <uint64_t>strides[i]
    return at + 2 * nd


cdef uint64_t *add_text(uint64_t *at, str text) noexcept:
    cdef Py_ssize_t size = 0
    cdef const char *utf8
    if not PyUnicode_IS_ASCII(text):
        return NULL
    utf8 = PyUnicode_AsUTF8AndSize(text, &size)
    if size > 40:
        return NULL
    at = put(at, ord("s"), size)
    while size > 0:
        at[0] = 0
        memcpy(at, utf8, min(size, 8))
        at += 1
        utf8 += 8
        size -= 8
    return at


cdef uint64_t *add_int(uint64_t *at, PyObject *whole) noexcept:
    """An int of more than a digit."""
    cdef int overflow = 0
    cdef int64_t value = mt_int64(whole, &overflow)
    if overflow:
        return NULL
    if -SMALL < value < SMALL:
        return put(at, ord("i"), <uint64_t>value)
    put(at, ord("I"), 0)
    at[1] = <uint64_t>value
    return at + 2


cdef inline uint64_t *put(uint64_t *at, uint64_t tag, uint64_t small) noexcept:
    at[0] = small << 8 | tag
    return at + 1


cdef inline uint64_t hash_until(uint64_t *end) noexcept:
    """A sum of the words, each with a weight of its own, so that none waits for the one before."""
    cdef uint64_t *at = words
    cdef uint64_t weight = MIXER, total = 0
    while at < end:
        total += at[0] * weight
        weight *= MIXER
        at += 1
    total = (total ^ total >> 32) * MIXER
    return total ^ total >> 29


# ---- the table: open addressing, always at most half full ----------------------------------------------------

cdef inline bint is_of(Entry *entry, int n) noexcept:
    return entry.n == n and memcmp(entry.words, words, n * 8) == 0


cdef inline Entry *find(uint64_t hash, int n) noexcept:
    """What stands in the table for the words at hand."""
    cdef Py_ssize_t at
    if table_size == 0:
        return NULL
    at = hash & (table_size - 1)
    while table[at] != NULL:
        if table[at].hash == hash and is_of(table[at], n):
            return table[at]
        at = (at + 1) & (table_size - 1)
    return NULL


cdef int learn(uint64_t hash, int n) except -1:
    """The number of inputs that are new; unless all are forgotten meanwhile, they are found by it from now on."""
    cdef Entry *entry = <Entry *>malloc(sizeof(Entry) + n * 8)
    cdef Written written
    cdef int64_t before = times_forgotten
    if entry == NULL:
        raise MemoryError("no memory left to describe a call's inputs")
    entry.hash, entry.n = hash, n
    memcpy(entry.words, words, n * 8)  # before Python runs
    written = Written()
    written.entry = entry
    entry.number = inputs.add(written)
    forget_notes()
    if times_forgotten == before:
        known.append(written)
        if len(known) * 2 >= table_size:
            make_room()
        place(entry)
    return entry.number


cdef int make_room() except -1:
    global table, table_size
    cdef Entry **old = table
    cdef Py_ssize_t i, old_size = table_size
    cdef Entry **larger = <Entry **>calloc(old_size * 2 if old_size else 1024, sizeof(Entry *))
    if larger == NULL:
        raise MemoryError("no memory left to describe a call's inputs")
    table, table_size = larger, (old_size * 2 if old_size else 1024)
    for i in range(old_size):
        if old[i] != NULL:
            place(old[i])
    free(old)
    return 0


cdef void place(Entry *entry) noexcept:
    cdef Py_ssize_t at = entry.hash & (table_size - 1)
    while table[at] != NULL:
        at = (at + 1) & (table_size - 1)
    table[at] = entry


def forget():
    """Empty the table; what recordings still hold of it can be read as before."""
    global table, table_size, known, times_forgotten
    times_forgotten += 1
    memset(expected, 0, sizeof(expected))
    free(table)
    table, table_size, known = NULL, 0, []


inputs.when_forgotten.append(forget)


# ---- and read again ------------------------------------------------------------------------------------------

cdef class Written:
    """A call's inputs as they were written down."""

    cdef Entry *entry

    def __dealloc__(self):
        free(self.entry)

    def read(self):
        """What one() says of each of them."""
        return read_inputs(self.entry.words, self.entry.n) if self.entry != NULL else ()


# ---- what Python sees --------------------------------------------------------------------------------------

cdef int note(int64_t row, args, int slot, int depth) except -1:
    """Keep which tensors a call was given, lists opened; the number of the next slot."""
    for value in args:
        if value is None or PyLong_Check(value):
            continue
        if isinstance(value, Tensor):
            rows.tensor_given(row, slot, identity_of(<Tensor>value), address_of((<Tensor>value)._mt_storage))
            slot += 1
        elif depth < DEPTH and (PyTuple_Check(value) or type(value) is list):
            slot = note(row, value, slot, depth + 1)
    return slot


def one(value, int depth=0):
    """One input as a hashable value; profiler/views/inputs.py reads it."""
    if isinstance(value, Tensor):
        if (<Tensor>value)._mt_kind is not None and value._mt_kind.layout.name != "strided":
            return ((<Tensor>value)._mt_array.shape, (<Tensor>value).dtype.name, (), value._mt_kind.layout.name)
        return ((<Tensor>value)._mt_array.shape, (<Tensor>value).dtype.name, strided.strides((<Tensor>value)._mt_array))
    return plain(value, one, depth)
