"""Arguments to parameters: one pass over what the caller gave, in the order of the schema."""

from __future__ import annotations

import numpy as np

from ..core import dtype as dtypes
from ..core import modes, strided
from ..core.device import as_device, device, layout, memory_format
from ..core.tensor import Tensor, new_tensor
from ..opdef.operator import Operator
from ..opdef.schema import BOOL, INT, INTS, OPTIONAL_TENSORS, SCALAR, TENSOR

NO = object()  # a value that does not fit
TOO_BIG = "int too big to convert"
_ALIASES = {"input": "self", "axis": "dim", "keepdims": "keepdim", "x": "self", "a": "self", "x1": "self",
            "x2": "other"}
_PYTHON_TYPES = {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool_, complex: dtypes.complex128}


def bind(op: Operator, args, kwargs, numbers):
    """The full tuple of an op's arguments, or None if these do not fit its schema."""
    n = len(args)
    if n > op.n_positional:
        args = _gather(op, args)
        n = len(args)
        if n > op.n_positional:
            return None
    if kwargs:
        for name in kwargs:  # names first: a value converted for the wrong overload would leave a row
            if position_of(op, name) < n:
                return None
    changed = None
    for i in range(n):
        value = args[i]
        kind = op.codes[i]
        if kind == TENSOR:
            if isinstance(value, Tensor):
                continue
        elif kind == INT:
            if type(value) is int and strided.is_int64(value):
                continue
        elif kind == INTS:
            if type(value) is tuple and are_ints(value):
                continue
            if not op.sizes[i] and (type(value) is int or _is_index(value)):  # x.view(2, 3): ints for one list
                packed = _gather(op, args)
                return None if packed is args else bind(op, packed, kwargs, numbers)
        elif kind == BOOL and type(value) is bool or kind == SCALAR and type(value) is float:
            continue
        converted = convert(op, i, value, numbers)
        if converted is NO:
            return None
        if converted is not value:
            if changed is None:
                changed = list(args)
            changed[i] = converted
    if changed is not None:
        args = tuple(changed)
    if kwargs:
        return _with_names(op, args, kwargs, numbers)
    if n < op.n_required or op.keyword_required:
        return None
    return args if n == op.n_params else args + op.tails[n]


def bind_several(op: Operator, args, kwargs, out):
    """The same for an op that writes several tensors, which Python callers give as one tuple ``out=``."""
    some_tensor = next((value for value in (*out, *args, *kwargs.values()) if isinstance(value, Tensor)), None)
    names = [op.schema.params[i].name for i in op.outs]
    bound = bind(op, args, kwargs | dict.fromkeys(names, some_tensor), True)  # fits it but for what is written?
    if bound is None:
        return None
    for at, item in enumerate(out):
        if not isinstance(item, Tensor):
            raise TypeError(f"expected Tensor as element {at} in argument {op.outs[0]}, but got {type(item).__name__}")
    if len(out) != len(op.outs):
        raise TypeError(f"expected tuple of {len(op.outs)} elements but got {len(out)}")
    return bound[:op.outs[0]] + tuple(out)


def _with_names(op: Operator, args, kwargs, numbers):
    """Arguments by position completed with those by name."""
    n = len(args)
    bound = list(args + op.tails[n])
    for name, value in kwargs.items():
        i = position_of(op, name)
        value = convert(op, i, value, numbers)
        if value is NO:
            return None
        bound[i] = value
    if op.keyword_required and not _all_required(op, kwargs):
        return None
    if n < op.n_required and not _all_given(op, n, kwargs):
        return None
    return tuple(bound)


def are_ints(values):
    """Whether these are plain ints of 64 bits."""
    for value in values:
        if type(value) is not int or not strided.is_int64(value):
            return False
    return True


def position_of(op: Operator, name):
    """Which parameter a name means; -1 if there is none."""
    index = op.index.get(name)
    if index is None:
        name = _ALIASES.get(name)
        if name is not None:
            index = op.index.get(name)
    return -1 if index is None else index


def _all_required(op: Operator, kwargs):
    for p in op.schema.params:
        if p.keyword_only and not p.has_default and p.name not in (kwargs or ()):
            return False
    return True


def _all_given(op: Operator, n, kwargs):
    names = {_ALIASES.get(k, k) for k in kwargs} | set(kwargs)
    for i, p in enumerate(op.schema.params):
        if i >= n and not p.has_default and not p.keyword_only and p.name not in names:
            return False
    return True


def _gather(op: Operator, args):
    """``x.view(2, 3)`` means ``x.view((2, 3))``, where a list is all that the op takes beside self."""
    for i in range(min(len(args), op.n_positional, 2)):
        if op.codes[i] == INTS and i == op.n_positional - 1:
            tail = args[i:]
            if not are_ints(tail):
                for value in tail:
                    if isinstance(value, bool) or (not isinstance(value, int) and not _is_index(value)):
                        return args
                tail = tuple([int(v) for v in tail])
            return args[:i] + (tail,)
        if op.codes[i] != 1:
            break
    return args


def _is_index(value):
    if isinstance(value, Tensor):
        return value.numel() == 1 and value.dtype.category == 1
    return isinstance(value, np.integer)


def convert(op: Operator, i, value, numbers):
    """A value as parameter ``i`` wants it, or NO."""
    if value is None:
        if op.schema.params[i].optional:
            return None
        return () if op.codes[i] == INTS and op.schema.params[i].has_default and op.defaults[i] == () else NO
    kind = op.codes[i]
    if kind == 1:
        if isinstance(value, Tensor):
            return value
        if numbers and op.numbers >> i & 1 and _is_number(value):
            return wrap_number(value)
        return NO
    return _CONVERTERS[kind](value, op.schema.params[i])


def _is_number(value):
    if isinstance(value, (float, int)):
        return True
    return isinstance(value, (complex, np.number, np.bool_))


def wrap_number(value):
    """A Python number as a tensor without dimensions, which gives way to any other tensor's type."""
    dtype = _PYTHON_TYPES.get(type(value))
    if dtype is None:
        value = plain_number(value)
        dtype = _PYTHON_TYPES[type(value)]
    if dtype.category == 1 and not strided.is_int64(value):
        raise OverflowError(TOO_BIG)
    tensor = new_tensor(strided.scalar(value, dtype.numpy), dtype)
    tensor._mt_is_number = True
    return tensor


def plain_number(value):
    """A number of NumPy's, or of a subclass of Python's, as Python's own."""
    if isinstance(value, np.generic) and not isinstance(value, (float, complex)):
        return int(value) if isinstance(value, np.integer) else float(value.real)  # torch reads all others as floats
    return int(value) if isinstance(value, int) else float(value) if isinstance(value, float) else complex(value)


def without_numpy(value):
    """A number of NumPy's as Python's own; everything else as it is."""
    return plain_number(value) if isinstance(value, np.generic) else value


def _tensors(value, param):
    if not isinstance(value, (list, tuple)):
        return NO
    for item in value:
        if not isinstance(item, Tensor) and not (item is None and param.kind == OPTIONAL_TENSORS):
            return NO
    return value


def _scalar(value, param):
    if isinstance(value, (bool, int, float, complex)):
        if isinstance(value, int) and not strided.is_int64(value):
            raise OverflowError(TOO_BIG)
        return value
    if _is_scalar_tensor(value):
        return value.item()
    return plain_number(value) if isinstance(value, (np.number, np.bool_)) else NO


def _int(value, param):
    if isinstance(value, bool):
        return NO
    if isinstance(value, int):
        if not strided.is_int64(value):
            raise ValueError("Overflow when unpacking long long")
        return value
    if not _is_index(value) or isinstance(value, Tensor) and value.dim() and param.text in ("int", "int?"):
        return NO  # as a number, only a tensor without dimensions; as a size, any of one element
    return int(value)


def _ints(value, param):
    if isinstance(value, (list, tuple)):
        numbers = []
        for item in value:
            if isinstance(item, int) and not isinstance(item, bool):
                if not strided.is_int64(item):
                    raise TypeError(f"argument '{param.name}' failed to unpack the object at pos {len(numbers) + 1} "
                                    "with error \"Overflow when unpacking long long\"")
                numbers.append(item)
            elif _is_index(item):
                numbers.append(int(item))
            else:
                return NO
        return tuple(numbers)  # a list of one stays one: only a number stands for all
    if param.size:
        one = _int(value, param)
        return one if one is NO else (one,) * param.size
    return NO


def _float(value, param):
    if isinstance(value, (float, int)):
        return float(value)
    return float(value) if isinstance(value, (np.number, np.bool_)) or _is_scalar_tensor(value) else NO


def _is_scalar_tensor(value):
    """A tensor that may stand for a number: as one it would lose the gradient it wants."""
    return isinstance(value, Tensor) and value.dim() == 0 and not value.requires_grad


def _floats(value, param):
    if isinstance(value, (float, int)) and param.size:
        return (float(value),) * param.size
    if isinstance(value, (list, tuple)) and all(isinstance(v, (float, int)) for v in value):
        return tuple([float(v) for v in value])
    return NO


def _bool(value, param):
    return value if isinstance(value, bool) else NO


def _dtype(value, param):
    if isinstance(value, dtypes.DType) and value.rare:
        modes.note_rare_type()  # what the call makes will be of it
    return value if isinstance(value, dtypes.DType) else _PYTHON_TYPES.get(value, NO) if isinstance(value, type) else NO


def _device(value, param):
    return as_device(value) if isinstance(value, (str, device)) else NO


def _scalars(value, param):
    return tuple(value) if isinstance(value, (list, tuple)) and all(_is_number(v) for v in value) else NO


def _as_is(value, param):
    return value


def _layout(value, param):
    return value if isinstance(value, layout) else NO


def _format(value, param):
    return value if isinstance(value, memory_format) else NO


def _generator(value, param):
    return value if hasattr(value, "manual_seed") else NO  # the class itself is made of ops


def _bools(value, param):
    return value if isinstance(value, (list, tuple)) and all(isinstance(v, bool) for v in value) else NO


def _string(value, param):
    return value if isinstance(value, str) else NO


# By kind, as opdef/schema.py numbers them.
_CONVERTERS = [None, None, _tensors, _scalar, _int, _ints, _float, _floats, _bool, _bools, _string, _dtype, _layout,
               _device, _format, _generator, _scalars, _as_is, _tensors]
