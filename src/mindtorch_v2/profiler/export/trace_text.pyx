# cython: language_level=3, wraparound=False, cdivision=True
"""A trace's events as text, a block at a time; trace_text.py is the same in plain Python."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, strlen

CATEGORIES = ("cpu_op", "user_annotation", "python_function")
CALLS = ("row", "kind", "name", "tid", "start_ns", "end_ns", "external_id", "sequence", "forward_thread", "said",
         "stack", "state", "arrow", "python_id", "python_parent", "number", "record", "cpu_start_ns", "cpu_end_ns")
CHANGES = ("tid", "time_ns", "address", "change", "total", "number")
UNFINISHED, OVERLAPPING, BACKWARD = 1, 2, 4
OP, PYTHON = 0, 2

cdef const char **KINDS = ["cpu_op", "user_annotation", "python_function"]

cdef enum:
    LINES = 2048  # more than all the fixed words and numbers of one event
    USUAL = 256  # about as much as an event takes

@cython.final
cdef class Text:
    """Bytes that grow, an event at a time; what is put in has been escaped before."""
    cdef char *data
    cdef Py_ssize_t length, room

    def __dealloc__(self):
        free(self.data)

    cdef inline int reserve(self, Py_ssize_t more) except -1:
        """Make room for what is put in next; nothing else looks."""
        if self.length + more > self.room:
            room = 2 * (self.length + more)
            moved = <char *>realloc(self.data, room)
            if moved == NULL:
                raise MemoryError(f"no memory left for {room} bytes of a trace")
            self.data, self.room = moved, room
        return 0

    cdef inline void copy(self, const char *text, Py_ssize_t length) noexcept:
        memcpy(self.data + self.length, text, length)
        self.length += length

    cdef inline void put(self, const char *text) noexcept:
        self.copy(text, strlen(text))

    cdef inline void put_bytes(self, bytes text) noexcept:
        self.copy(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))

    cdef void number(self, int64_t value) noexcept:
        cdef char digits[24]
        cdef int at = 24
        cdef uint64_t rest = <uint64_t>value if value >= 0 else -<uint64_t>value
        while True:
            at -= 1
            digits[at] = 48 + rest % 10
            rest = rest // 10
            if rest == 0:
                break
        if value < 0:
            at -= 1
            digits[at] = c"-"
        self.copy(digits + at, 24 - at)

    cdef void us(self, int64_t ns) noexcept:
        """Microseconds with three decimals, written without going through a float."""
        cdef char decimals[4]
        if ns < 0:
            self.put("-")
            ns = -ns
        self.number(ns // 1000)
        ns = ns % 1000
        decimals[0], decimals[1], decimals[2], decimals[3] = c".", 48 + ns // 100, 48 + ns // 10 % 10, 48 + ns % 10
        self.copy(decimals, 4)

    cdef bytes taken(self):
        return PyBytes_FromStringAndSize(self.data, self.length)

def calls(int64_t pid, int64_t base_ns, list names, list said, list stacks, tuple arrows, tuple columns):
    """A block of calls, one line each and more for its arrow, one for each of its categories in ``arrows``; ``said`` and
    ``stacks`` are pieces of their args."""
    cdef const int64_t[::1] row, kind, name, tid, start_ns, end_ns, external_id, sequence, forward_thread
    cdef const int64_t[::1] of_said, of_stack, state, arrow, python_id, python_parent, number, record, cpu_start_ns, cpu_end_ns
    (row, kind, name, tid, start_ns, end_ns, external_id, sequence, forward_thread, of_said, of_stack, state, arrow,
     python_id, python_parent, number, record, cpu_start_ns, cpu_end_ns) = columns
    cdef Text text = Text()
    cdef bytes of_name, of_inputs, of_calls, category
    cdef Py_ssize_t i
    text.reserve(row.shape[0] * USUAL)
    for i in range(row.shape[0]):
        of_name, of_inputs, of_calls = <bytes>names[name[i]], <bytes>said[of_said[i]], <bytes>stacks[of_stack[i]]
        text.reserve(LINES + 2 * PyBytes_GET_SIZE(of_name) + PyBytes_GET_SIZE(of_inputs) + PyBytes_GET_SIZE(of_calls))
        text.put('{"ph": "b", "cat": "' if state[i] & 2 else '{"ph": "X", "cat": "')
        put_common(text, pid, kind[i], of_name, tid[i])
        if state[i] & 2:
            put_local_id(text, row[i] + 1)
        text.put(', "ts": ')
        text.us(start_ns[i] - base_ns)
        text.put(', "dur": ')
        text.us(end_ns[i] - start_ns[i])
        if cpu_start_ns[i] >= 0:
            text.put(', "tts": ')
            text.us(cpu_start_ns[i])
            text.put(', "tdur": ')
            text.us(cpu_end_ns[i] - cpu_start_ns[i])
        text.put(', "args": {"Ev Idx": ')
        text.number(number[i])
        if kind[i] != 2:
            put_ids(text, external_id[i], record[i], sequence[i], forward_thread[i])
        elif python_id[i]:
            put_python(text, python_id[i], python_parent[i])
        text.put_bytes(of_inputs)
        text.put_bytes(of_calls)
        if state[i] & 1:
            text.put(', "finished": false')
        text.put('}},\n')
        if state[i] & 2:
            # On the same track it would overlap without nesting, and viewers drop such slices: it gets its own track.
            text.put('{"ph": "e", "cat": "')
            put_common(text, pid, kind[i], of_name, tid[i])
            put_local_id(text, row[i] + 1)
            text.put(', "ts": ')
            text.us(end_ns[i] - base_ns)
            text.put('},\n')
        if arrow[i]:
            for category in arrows:
                put_arrow(text, pid, tid[i], start_ns[i] - base_ns, arrow[i], state[i], category)
    return text.taken()

cdef inline void put_common(Text text, int64_t pid, int64_t kind, bytes name, int64_t tid) noexcept:
    text.put(KINDS[kind])
    text.put('", "name": ')
    text.put_bytes(name)
    text.put(', "pid": ')
    text.number(pid)
    text.put(', "tid": ')
    text.number(tid)

cdef inline void put_local_id(Text text, int64_t number) noexcept:
    """A number that means something in this process alone."""
    text.put(', "id2": {"local": "')
    text.number(number)
    text.put('"}')

cdef inline void put_ids(Text text, int64_t external_id, int64_t record, int64_t sequence, int64_t forward_thread) noexcept:
    text.put(', "External id": ')
    text.number(external_id)
    text.put(', "Record function id": ')
    text.number(record)
    if sequence >= 0:
        text.put(', "Sequence number": ')
        text.number(sequence)
        text.put(', "Fwd thread id": ')
        text.number(forward_thread)

cdef inline void put_python(Text text, int64_t number, int64_t parent) noexcept:
    text.put(', "Python parent id": ')
    if parent:
        text.number(parent)
    else:
        text.put("null")
    text.put(', "Python id": ')
    text.number(number)

cdef inline void put_arrow(Text text, int64_t pid, int64_t tid, int64_t ns, int64_t arrow, int64_t state,
                           bytes category) noexcept:
    text.put('{"ph": "f", "bp": "e", "id": ' if state & 4 else '{"ph": "s", "id": ')
    text.number(arrow)
    text.put(', "pid": ')
    text.number(pid)
    text.put(', "tid": ')
    text.number(tid)
    text.put(', "ts": ')
    text.us(ns)
    text.put(', "cat": "')
    text.put_bytes(category)
    text.put('", "name": "')
    text.put_bytes(category)
    text.put('"},\n')

def changes(int64_t pid, int64_t base_ns, tuple columns):
    """A block of memory changes, two lines each: the change, and what is allocated from then on."""
    cdef const int64_t[::1] tid, time_ns, address, change, total, number
    tid, time_ns, address, change, total, number = columns
    cdef Text text = Text()
    cdef Py_ssize_t i
    for i in range(tid.shape[0]):
        text.reserve(LINES)
        text.put('{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": ')
        text.number(pid)
        text.put(', "tid": ')
        text.number(tid[i])
        text.put(', "ts": ')
        text.us(time_ns[i] - base_ns)
        text.put(', "args": {"Total Reserved": 0, "Total Allocated": ')
        text.number(total[i])
        text.put(', "Bytes": ')
        text.number(change[i])
        text.put(', "Device Id": -1, "Device Type": 0, "Addr": ')
        text.number(address[i])
        text.put(', "Ev Idx": ')
        text.number(number[i])
        text.put('}},\n{"ph": "C", "name": "Memory", "pid": ')
        text.number(pid)
        text.put(', "tid": ')
        text.number(tid[i])
        text.put(', "ts": ')
        text.us(time_ns[i] - base_ns)
        text.put(', "args": {"bytes": ')
        text.number(total[i])
        text.put('}},\n')
    return text.taken()

def us(int64_t ns):
    """Microseconds with three decimals."""
    cdef Text text = Text()
    text.reserve(LINES)
    text.us(ns)
    return text.taken().decode()
