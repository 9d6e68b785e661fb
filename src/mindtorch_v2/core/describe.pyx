# cython: language_level=3, wraparound=False, cdivision=True
"""What a row remembers of a call's inputs; describe.py is the same in plain Python.

Inputs are written into a few dozen bytes and looked up by them. Python reads those bytes when somebody looks at them;
only inputs without a short form are described in Python at once.
"""
cimport numpy as cnp
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.list cimport PyList_Check
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_Check, PyLong_CheckExact
from cpython.sequence cimport PySequence_Fast_GET_ITEM, PySequence_Fast_GET_SIZE
from cpython.tuple cimport PyTuple_Check
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from ..record cimport rows
from . cimport strided
from .dtype cimport DType
from .storage cimport Storage
from .tensor cimport Tensor, identity_of

from ..record.names import inputs
from . import device as devices
from . import dtype as dtypes
from . import executed
from .geometry import contiguous_strides
from .plain_values import plain

cdef dict DTYPES = {d.code: d for d in dtypes.ALL}
cdef type DEVICE = devices.device, LAYOUT = devices.layout, MEMORY_FORMAT = devices.memory_format

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef enum:
    WORDS = 1024  # inputs that need more are described in Python every time
    DEPTH = 64  # lists in lists: what lies deeper is not looked at
    TENSORS = 16
    INPUTS = 4
    EXECUTED = 64

cdef int64_t SMALL = <int64_t>1 << 54  # what fits beside a tag

cdef struct Key:
    uint64_t hash
    int n
    uint64_t words[WORDS]

cdef struct Entry:
    uint64_t hash
    int n, number
    uint64_t words[1]  # in truth n

cdef Entry **table = NULL
cdef Py_ssize_t table_size = 0
cdef list known = []  # those in the table
cdef int64_t times_forgotten = 0


cdef int64_t open_row(int name, int scope, int64_t sequence, args, int wanted, int forward_thread) except -2:
    cdef int64_t row = rows.open_row(name, scope, sequence, described(args) if wanted & INPUTS else -1, forward_thread)
    if wanted & TENSORS:
        note(row, args, 0, 0)
    if wanted & EXECUTED:
        executed.note_given(row, args)
    return row


def open_call(int name, int scope, int64_t sequence, args, int wanted, int forward_thread):
    """Open a row for a call, with as much of its inputs as is wanted."""
    return open_row(name, scope, sequence, args if PyTuple_Check(args) else tuple(args), wanted, forward_thread)


cpdef int described(args) except -1:
    """The number under which these inputs are stored."""
    cdef Key key
    cdef Entry *entry
    if not PyTuple_Check(args) and not PyList_Check(args):
        args = tuple(args)
    key.n, key.hash = 0, 0
    if not add_all(&key, args, 0):
        return inputs.number(tuple([one(a) for a in args]))
    entry = find(&key)
    return learn(&key) if entry == NULL else entry.number


# ---- a call's inputs as words: a tag with a count or a small value, then the values ---------------------------

cdef bint add_all(Key *key, args, int depth) except -1:
    """Write the values of a list or tuple behind each other; False if one has no short form."""
    cdef Py_ssize_t i
    for i in range(PySequence_Fast_GET_SIZE(args)):
        if not add(key, <object>PySequence_Fast_GET_ITEM(args, i), depth):
            return False
    return True


cdef inline bint add(Key *key, value, int depth) except -1:
    """One value: the kinds that calls have most of come first."""
    cdef int overflow = 0
    cdef double number
    cdef uint64_t word
    if key.n > WORDS - 8:
        return False
    if type(value) is Tensor:
        return add_tensor(key, <Tensor>value)
    elif value is None:
        put(key, ord("n"), 0)
    elif value is True or value is False:
        put(key, ord("b"), value is True)
    elif PyLong_CheckExact(value):
        return add_int(key, PyLong_AsLongLongAndOverflow(value, &overflow)) and overflow == 0
    elif PyTuple_Check(value) or type(value) is list:
        put(key, ord("["), PySequence_Fast_GET_SIZE(value))
        return depth < DEPTH and add_all(key, value, depth + 1)
    elif PyFloat_CheckExact(value):
        number = PyFloat_AS_DOUBLE(value)
        put(key, ord("f"), 0)
        memcpy(&word, &number, 8)
        put_word(key, word)
    elif type(value) is DType:
        put(key, ord("d"), (<DType>value).code)
    elif isinstance(value, Tensor):
        return add_tensor(key, <Tensor>value)
    elif type(value) is DEVICE:
        put(key, ord("p"), 0)
    elif type(value) is LAYOUT or type(value) is MEMORY_FORMAT:
        put(key, ord("c"), <uint64_t><void *>value)  # there once for all, so its address says which it is
    elif type(value) is str:
        return add_text(key, value)
    else:
        return False
    return True


cdef inline bint add_tensor(Key *key, Tensor tensor) except -1:
    """Its type, dimensions and strides in bytes: four numbers a word where they are small."""
    cdef cnp.ndarray array = <cnp.ndarray>tensor._mt_array
    cdef int i, nd = cnp.PyArray_NDIM(array)
    cdef cnp.npy_intp *dims = cnp.PyArray_DIMS(array)
    cdef cnp.npy_intp *strides = cnp.PyArray_STRIDES(array)
    cdef uint64_t largest = 0, sizes = 0, steps = 0
    if key.n + 2 * nd + 2 > WORDS or tensor._mt_kind is not None:
        return False
    for i in range(nd):
        largest |= <uint64_t>dims[i] | <uint64_t>strides[i]
        sizes = sizes << 16 | <uint64_t>dims[i]
        steps = steps << 16 | <uint64_t>strides[i]
    if nd <= 4 and largest < 65536:
        put(key, ord("t"), nd << 8 | tensor.dtype.code)
        put_word(key, sizes if nd > 2 else sizes << 32 | steps)
        if nd > 2:
            put_word(key, steps)
        return True
    put(key, ord("T"), nd << 8 | tensor.dtype.code)
    for i in range(nd):
        put_word(key, <uint64_t>dims[i])
    for i in range(nd):
        put_word(key, <uint64_t>strides[i])
    return True


cdef bint add_text(Key *key, str text) except -1:
    cdef Py_ssize_t size
    cdef const char *utf8
    cdef uint64_t word
    if len(text) > 40 or not text.isascii():
        return False
    utf8 = PyUnicode_AsUTF8AndSize(text, &size)
    put(key, ord("s"), size)
    while size > 0:
        word = 0
        memcpy(&word, utf8, min(size, 8))
        put_word(key, word)
        utf8 += 8
        size -= 8
    return True


cdef inline bint add_int(Key *key, int64_t value) noexcept:
    if -SMALL < value < SMALL:
        put(key, ord("i"), <uint64_t>value)
    else:
        put(key, ord("I"), 0)
        put_word(key, <uint64_t>value)
    return True


cdef inline void put(Key *key, uint64_t tag, uint64_t small) noexcept:
    put_word(key, small << 8 | tag)


cdef inline void put_word(Key *key, uint64_t word) noexcept:
    key.words[key.n] = word
    key.n += 1
    key.hash = (key.hash ^ word) * <uint64_t>0x9E3779B97F4A7C15
    key.hash ^= key.hash >> 29


# ---- the table: open addressing, always at most half full ----------------------------------------------------

cdef inline bint is_of(Entry *entry, Key *key) noexcept:
    cdef int i = 0
    if entry.hash != key.hash or entry.n != key.n:
        return False
    while i < key.n and entry.words[i] == key.words[i]:
        i += 1
    return i == key.n


cdef Entry *find(Key *key) noexcept:
    cdef Py_ssize_t at
    if table_size == 0:
        return NULL
    at = key.hash & (table_size - 1)
    while table[at] != NULL:
        if is_of(table[at], key):
            return table[at]
        at = (at + 1) & (table_size - 1)
    return NULL


cdef int learn(Key *key) except -1:
    """The number of inputs that are new; unless all are forgotten meanwhile, they are found by it from now on."""
    cdef Entry *entry = <Entry *>malloc(sizeof(Entry) + key.n * 8)
    cdef Written written = Written()
    cdef int64_t before = times_forgotten
    if entry == NULL:
        raise MemoryError("no memory left to describe a call's inputs")
    entry.hash, entry.n, written.entry = key.hash, key.n, entry
    memcpy(entry.words, key.words, key.n * 8)
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
    if tag == ord("t") or tag == ord("T"):
        return read_tensor(words, at, tag == ord("t"), small >> 8, DTYPES[small & 0xff])
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


cdef object read_tensor(uint64_t *words, int *at, bint narrow, int nd, DType dtype):
    cdef int i, size = dtype.numpy.itemsize
    cdef uint64_t sizes, steps
    if narrow:
        sizes, steps = words[at[0]], words[at[0] + (nd > 2)]
        if nd <= 2:
            sizes >>= 32
        at[0] += 2 if nd > 2 else 1
        numbers = [(part >> 16 * (nd - 1 - i)) & 0xffff for part in (sizes, steps) for i in range(nd)]
    else:
        numbers = [<int64_t>words[at[0] + i] for i in range(2 * nd)]
        at[0] += 2 * nd
    shape, in_bytes = tuple(numbers[:nd]), numbers[nd:]
    if 0 in shape and not any(in_bytes):  # NumPy gives a new array without elements no strides
        return (shape, dtype.name, contiguous_strides(shape))
    return (shape, dtype.name, tuple([step // size for step in in_bytes]))


# ---- what Python sees --------------------------------------------------------------------------------------

cdef inline int64_t address_of(Storage storage) except? -1:
    """Where a storage lies, as recordings keep it; 0 if it has no memory."""
    if storage.nbytes == 0:
        return 0
    return storage.address if storage.device == 0 else devices.recorded_address(storage.device, storage.address)


cdef int note(int64_t row, args, int slot, int depth) except -1:
    """Keep which tensors a call was given, lists opened; the number of the next slot."""
    cdef Storage storage
    cdef Py_ssize_t i
    for i in range(PySequence_Fast_GET_SIZE(args)):
        value = <object>PySequence_Fast_GET_ITEM(args, i)
        if value is None or PyLong_Check(value):
            continue
        if isinstance(value, Tensor):
            storage = (<Tensor>value)._mt_storage
            rows.tensor_given(row, slot, identity_of(<Tensor>value), address_of(storage))
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
