# cython: language_level=3
"""Calls of ops by name, bound from the interpreter's stack; quick_call.py is the same in plain Python.

What most calls give fits its parameters as it is. It goes into the op's arguments where it stands, without a tuple and
a dict on the way; whatever has to be converted, refused or asked about first is left to ``__call__``.
"""
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_New

from ..core cimport modes, strided
from ..core.dtype cimport DType
from ..core.tensor cimport Tensor
from ..core.vectorcall cimport PyTuple_GET_ITEM, PyTuple_GET_SIZE, PyVectorcall_NARGS, mt_set_item, packed
from ..core.vectorcall cimport install as install_entry
from ..opdef.operator cimport Operator
from . cimport bind, dispatcher

from ..core.device import CPU, device, layout, memory_format
from ..core.size import Size
from ..opdef import schema

cdef int BOOL = schema.BOOL, DTYPE = schema.DTYPE, FLOAT = schema.FLOAT, INT = schema.INT, INTS = schema.INTS
cdef int SCALAR = schema.SCALAR, TENSOR = schema.TENSOR, TENSORS = schema.TENSORS, FORMAT = schema.FORMAT
cdef int STR = schema.STR, LAYOUT = schema.LAYOUT, DEVICE = schema.DEVICE, OPTIONAL_TENSORS = schema.OPTIONAL_TENSORS

cdef enum Fit:
    NEVER, PERHAPS, FITS  # how a value suits a parameter: not at all, if it is converted, as it is

cdef extern from *:
    """
    #define mt_holds(t, i) (PyTuple_GET_ITEM(t, i) != NULL)
    """
    bint mt_holds(tuple t, Py_ssize_t i)


cdef class QuickCall(Callable):

    def __cinit__(self):
        self.entry = <void *>enter


cdef object enter(PyObject *callee, PyObject **args, size_t flags, PyObject *names):
    """What the interpreter calls: the first overload that these arguments fit as they are."""
    cdef Py_ssize_t n = PyVectorcall_NARGS(flags)
    cdef Operator op
    cdef Fit fit
    if modes.overrides == 0:
        for op in (<QuickCall>callee).ops:
            if not can_fit(op, n, names):
                continue
            bound = PyTuple_New(op.n_params)
            fit = bind_as_given(op, bound, args, n, names, (<QuickCall>callee).wraps_numbers)
            if fit == FITS:
                return dispatcher.call(op, bound)
            if fit == PERHAPS:
                break  # it would go before later overloads
    return packed(callee, args, n, names)


cdef bint can_fit(Operator op, Py_ssize_t n, PyObject *names) except -1:
    """Whether an overload takes so many arguments, and those of these names."""
    cdef Py_ssize_t i
    if n > op.n_positional and not gathers(op):
        return False
    if names == NULL:
        return n >= op.n_required and not op.keyword_required
    for i in range(PyTuple_GET_SIZE(names)):
        if bind.position_of(op, <object>PyTuple_GET_ITEM(names, i)) < min(n, op.n_positional):
            return False
    return True


cdef bint gathers(Operator op) except -1:
    """Whether ints by themselves may stand for the op's last argument by position: ``x.view(2, 3)``."""
    cdef int last = op.n_positional - 1
    return 0 <= last <= 1 and op.codes[last] == INTS and (last == 0 or op.codes[0] == TENSOR)


cdef tuple gathered(PyObject **args, Py_ssize_t n):
    """Ints as a tuple; None if something else is among them."""
    cdef tuple ints = PyTuple_New(n)
    cdef Py_ssize_t i
    for i in range(n):
        mt_set_item(ints, i, <object>args[i])
    return ints if bind.are_ints(ints) else None


cdef Fit bind_as_given(Operator op, tuple bound, PyObject **args, Py_ssize_t n, PyObject *names, bint is_public) except *:
    """Fill in the op's arguments, if all that is given fits as it is."""
    cdef Py_ssize_t i, at, last = op.n_positional - 1, given = n
    cdef tuple ints
    cdef Fit fit
    if n > last and gathers(op) and type(<object>args[last]) is int and (n > last + 1 or op.sizes[last] == 0):
        ints = gathered(args + last, n - last)
        if ints is None:
            return PERHAPS
        mt_set_item(bound, last, ints)
        given = last
    elif n > op.n_positional:
        return PERHAPS
    for i in range(given):
        fit = put(op, bound, i, <object>args[i], is_public)
        if fit != FITS:
            return fit
    if names != NULL:
        for i in range(PyTuple_GET_SIZE(names)):
            at = bind.position_of(op, <object>PyTuple_GET_ITEM(names, i))
            if mt_holds(bound, at):
                return PERHAPS
            fit = put(op, bound, at, <object>args[n + i], is_public)
            if fit != FITS:
                return fit
    for i in range(given, op.n_params):
        if not mt_holds(bound, i):
            if op.required >> i & 1:
                return NEVER
            mt_set_item(bound, i, op.defaults[i])
    return FITS


cdef Fit put(Operator op, tuple bound, Py_ssize_t i, object value, bint is_public) except *:
    """Put a value where it belongs, if the parameter takes it as it is."""
    cdef int kind = op.codes[i]
    cdef bint fits
    if kind == TENSOR:
        fits = isinstance(value, Tensor)
        if not fits and is_public and op.numbers >> i & 1 and is_plain_number(value):
            value = bind.wrap_number(value)
            fits = True
    elif kind == INT:
        fits = type(value) is int and strided.is_int64(value)
        if not fits and isinstance(value, (tuple, list)):
            return NEVER
    elif kind == INTS:
        if type(value) is int:
            fits = op.sizes[i] and strided.is_int64(value)
            if fits:
                value = (value,) * op.sizes[i]
            elif not op.sizes[i] and not gathers(op):
                return NEVER
        elif type(value) is list or type(value) is Size:
            value = tuple(value)
            fits = bind.are_ints(<tuple>value)
        else:
            fits = type(value) is tuple and bind.are_ints(<tuple>value)
    elif kind == BOOL:
        fits = type(value) is bool
    elif kind == SCALAR:
        fits = is_plain_number(value)
    elif kind == FLOAT:
        fits = type(value) is float
    elif kind == DTYPE:
        fits = isinstance(value, DType) and not (<DType>value).rare
    elif kind == STR:
        fits = type(value) is str
    elif kind == FORMAT:
        fits = type(value) is memory_format
    elif kind == LAYOUT:
        fits = type(value) is layout
    elif kind == DEVICE:
        if type(value) is str and <str>value == "cpu":
            value = CPU
        fits = value is CPU or type(value) is device and value == CPU
    elif kind == OPTIONAL_TENSORS:
        fits = are_tensors(value, not is_public)  # only ops themselves leave some out
    else:
        fits = kind == TENSORS and are_tensors(value, False)
    if fits or value is None and op.optional >> i & 1:
        mt_set_item(bound, i, value)
        return FITS
    return NEVER if kind == TENSOR and not (is_public and op.numbers >> i & 1) else PERHAPS


cdef bint is_plain_number(object value) except -1:
    return type(value) is float or type(value) is bool or type(value) is int and strided.is_int64(value)


cdef bint are_tensors(object values, bint has_gaps) except -1:
    """Whether this is a list or tuple of tensors and of nothing else; with gaps, None may stand for some."""
    if type(values) is not list and type(values) is not tuple:
        return False
    for value in values:
        if not isinstance(value, Tensor) and not (has_gaps and value is None):
            return False
    return True


def install(type cls not None):
    """Have the interpreter enter the instances of a class, which defines ``__call__`` itself, here."""
    cdef QuickCall instance = QuickCall()
    install_entry(cls, <char *>&instance.entry - <char *><PyObject *>instance)
