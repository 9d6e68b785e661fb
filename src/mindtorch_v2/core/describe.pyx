# cython: language_level=3, wraparound=False, cdivision=True
"""What a row remembers of a call's inputs; describe.py is the same in plain Python.

Inputs are written into a few dozen bytes and looked up by them. Python reads those bytes when somebody looks at them;
only inputs without a short form are described in Python at once.
"""
cimport numpy as cnp
from cpython.float cimport PyFloat_AS_DOUBLE
from cpython.list cimport PyList_Check
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_Check
from cpython.ref cimport PyObject
from cpython.tuple cimport PyTuple_Check
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from ..record cimport rows
from ..record.rows cimport Given
from . cimport strided
from .dtype cimport DType
from .storage cimport Storage
from .tensor cimport Tensor, identity_of

from ..record.names import inputs
from . import device as devices
from . import dtype as dtypes
from . import executed
from .geometry import contiguous_strides
from .identity import address_of
from .plain_values import plain

cdef dict DTYPES = {d.code: d for d in dtypes.ALL}
cdef type DEVICE = devices.device, LAYOUT = devices.layout, MEMORY_FORMAT = devices.memory_format

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL
    bint PyUnicode_IS_ASCII(object text) noexcept
    # Arguments are borrowed: whoever calls holds them, and no Python runs while they are written.
    PyObject *Py_True
    PyObject *Py_TYPE(PyObject *value) noexcept
    PyObject **PySequence_Fast_ITEMS(PyObject *values) noexcept
    Py_ssize_t PySequence_Fast_GET_SIZE(PyObject *values) noexcept

cdef enum:
    WORDS = 1024  # inputs that need more are described in Python every time
    MOST_OF_ONE = 8  # words that a value without dimensions takes
    MOST_GIVEN = WORDS  # a tensor takes a word at least
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

# The inputs at hand, and the tensors among them if they are wanted and could all be noted. No Python runs while they are
# written and looked up, so all threads share these; whoever reads them later compares times_written.
cdef uint64_t words[WORDS]
cdef Given given[MOST_GIVEN]
cdef int n_given = 0
cdef bint is_noted = False
cdef int64_t times_written = 0


cdef int64_t open_row(int name, int scope, int64_t sequence, args, int wanted, int forward_thread) except -2:
    cdef int64_t row, written = times_written + 1
    cdef int number = -1, n = -1
    if wanted & INPUTS:
        number = described_for(name, args, wanted & TENSORS)
        if is_noted and written == times_written:
            n = n_given
    row = rows.open_given(name, scope, sequence, number, forward_thread, given, &n)
    if wanted & TENSORS and n < 0:
        note(row, args, 0, 0)
    if wanted & EXECUTED:
        executed.note_given(row, args)
    return row


def open_call(int name, int scope, int64_t sequence, args, int wanted, int forward_thread):
    """Open a row for a call, with as much of its inputs as is wanted."""
    return open_row(name, scope, sequence, args if PyTuple_Check(args) else tuple(args), wanted, forward_thread)


cpdef int described(args) except -1:
    """The number under which these inputs are stored."""
    return described_for(0, args if PyTuple_Check(args) or PyList_Check(args) else tuple(args), False)


cdef int described_for(int name, args, bint notes) except -1:
    """The same for an op of a name; on request with a note of the tensors."""
    global times_written, n_given, is_noted
    cdef uint64_t *end
    times_written += 1
    n_given, is_noted = 0, notes
    end = add_all(words, <PyObject *>args, 0)
    if end == NULL:
        is_noted = False
        return inputs.number(tuple([one(a) for a in args]))
    return number_of(name, <int>(end - words))


cdef inline int number_of(int name, int n) except -1:
    """The number of the words at hand: programs repeat themselves, so what came next the last time is tried first."""
    global last_two
    cdef uint64_t hash, context = ((last_two ^ <uint64_t>name << 48) * MIXER) >> (64 - CONTEXT_BITS)
    cdef Entry *entry = expected[context]
    if entry == NULL or not is_of(entry, n):
        hash = hash_until(words + n)
        entry = find(hash, n)
        if entry == NULL:
            return learn(hash, n)
        expected[context] = entry
    last_two = last_two << 32 | <unsigned int>entry.number
    return entry.number


# ---- a call's inputs as words: a tag with a count or a small value, then the values ---------------------------

cdef uint64_t *add_all(uint64_t *at, PyObject *args, int depth) except? NULL:
    """Write the values of a list or tuple behind each other: where they end, NULL if one has no short form."""
    cdef Py_ssize_t i
    for i in range(PySequence_Fast_GET_SIZE(args)):
        at = add(at, PySequence_Fast_ITEMS(args)[i], depth)
        if at == NULL:
            break
    return at


cdef inline uint64_t *add(uint64_t *at, PyObject *value, int depth) except? NULL:
    """One value: the kinds that calls have most of come first."""
    cdef PyObject *kind = Py_TYPE(value)
    cdef int overflow = 0
    cdef int64_t whole
    cdef double number
    if at > words + WORDS - MOST_OF_ONE:
        return NULL
    if kind == <PyObject *>Tensor:
        return add_tensor(at, <Tensor>value)
    elif value == <PyObject *>None:
        return put(at, ord("n"), 0)
    elif kind == <PyObject *>bool:
        return put(at, ord("b"), value == Py_True)
    elif kind == <PyObject *>int:
        whole = PyLong_AsLongLongAndOverflow(<object>value, &overflow)
        return add_int(at, whole) if overflow == 0 else NULL
    elif PyTuple_Check(<object>value) or kind == <PyObject *>list:
        at = put(at, ord("["), PySequence_Fast_GET_SIZE(value))
        return add_all(at, value, depth + 1) if depth < DEPTH else NULL
    elif kind == <PyObject *>float:
        number = PyFloat_AS_DOUBLE(<object>value)
        at = put(at, ord("f"), 0)
        memcpy(at, &number, 8)
        return at + 1
    elif kind == <PyObject *>DType:
        return put(at, ord("d"), (<DType>value).code)
    elif isinstance(<object>value, Tensor):
        return add_tensor(at, <Tensor>value)
    elif kind == <PyObject *>DEVICE:
        return put(at, ord("p"), 0)
    elif kind == <PyObject *>LAYOUT or kind == <PyObject *>MEMORY_FORMAT:
        return put(at, ord("c"), <uint64_t>value)  # there once for all, so its address says which it is
    elif kind == <PyObject *>str:
        return add_text(at, <str>value)
    return NULL


cdef inline uint64_t *add_tensor(uint64_t *at, Tensor tensor) except? NULL:
    """Its type, dimensions and strides in bytes."""
    global n_given, is_noted
    cdef PyObject *array = <PyObject *>tensor._mt_array
    cdef PyObject *storage = <PyObject *>tensor._mt_storage
    cdef int i, nd = cnp.PyArray_NDIM(<cnp.ndarray>array)
    cdef cnp.npy_intp *dims = cnp.PyArray_DIMS(<cnp.ndarray>array)
    cdef cnp.npy_intp *strides = cnp.PyArray_STRIDES(<cnp.ndarray>array)
    if at + 2 * nd + 2 > words + WORDS or tensor._mt_kind is not None:
        return NULL
    if is_noted and (storage == <PyObject *>None or (<Storage>storage).device):
        is_noted = False  # asking a device where its memory lies runs Python
    if is_noted:
        given[n_given].tensor = tensor._mt_identity or identity_of(tensor)
        given[n_given].storage = (<Storage>storage).address if (<Storage>storage).nbytes else 0
        n_given += 1
    at = put(at, ord("t"), nd << 8 | tensor.dtype.code)
    for i in range(nd):
        at[i] = <uint64_t>dims[i]
        at[nd + i] = <uint64_t>strides[i]
    return at + 2 * nd


cdef uint64_t *add_text(uint64_t *at, str text) except? NULL:
    cdef Py_ssize_t size
    cdef const char *utf8
    if len(text) > 40 or not PyUnicode_IS_ASCII(text):
        return NULL
    utf8 = PyUnicode_AsUTF8AndSize(text, &size)
    at = put(at, ord("s"), size)
    while size > 0:
        at[0] = 0
        memcpy(at, utf8, min(size, 8))
        at += 1
        utf8 += 8
        size -= 8
    return at


cdef inline uint64_t *add_int(uint64_t *at, int64_t value) noexcept:
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
        cdef int at = 0
        inputs = []
        while self.entry != NULL and at < self.entry.n:
            inputs.append(read_one(self.entry.words, &at))
        return tuple(inputs)


cdef object read_one(uint64_t *words, int *at):
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
        return ("str", (<char *>&words[at[0] - (small + 7) // 8])[:small].decode())
    if tag == ord("b"):
        return ("bool", small == 1)
    if tag == ord("d"):
        return ("code", small)
    if tag == ord("c"):
        return ("code", (<object><void *>small).code)
    return ("code", None) if tag == ord("p") else None


cdef object read_tensor(uint64_t *words, int *at, int nd, DType dtype):
    cdef int i, size = dtype.numpy.itemsize
    numbers = [<int64_t>words[at[0] + i] for i in range(2 * nd)]
    at[0] += 2 * nd
    shape, in_bytes = tuple(numbers[:nd]), numbers[nd:]
    if 0 in shape and not any(in_bytes):  # NumPy gives a new array without elements no strides
        return (shape, dtype.name, contiguous_strides(shape))
    return (shape, dtype.name, tuple([step // size for step in in_bytes]))


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
