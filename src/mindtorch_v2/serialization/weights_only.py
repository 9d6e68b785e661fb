"""An unpickler that builds plain containers and tensors and calls nothing else: load(weights_only=True).

It has the interface that load() expects of a pickle module: ``Unpickler`` and ``load``.
"""

from __future__ import annotations

import pickle
import pickletools
import struct
import warnings
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections import Counter, OrderedDict
from collections.abc import Callable
from pickle import UnpicklingError

from ..core.tensor import Tensor
from ..nn.parameter import Parameter
from . import safe_globals

DEFAULT_PROTOCOL = 2
BUILTINS = "builtins."
MALFORMED = (LookupError, struct.error, ValueError, TypeError, AttributeError, OverflowError, RecursionError)


class _Stop(Exception):  # noqa: N818  no error
    """The pickle has ended."""


class Unpickler:
    """Reads one pickle; opcodes that it does not know, and globals that are not allowed, are errors."""

    opcodes: dict[int, Callable] = {}

    def __init__(self, file, *, encoding: str = "bytes"):
        self._read = file.read
        self._readline = file.readline
        self._encoding = encoding
        self.memo: dict[int, object] = {}
        self.stack: list = []
        self._marked: list[list] = []

    def load(self):
        """The object that the pickle describes."""
        while True:
            code = self._read(1)
            if not code:
                raise EOFError
            step = self.opcodes.get(code[0])
            if step is None:
                raise UnpicklingError(f"Unsupported operand {code[0]}")
            try:
                step(self)
            except _Stop:
                return self.stack.pop()
            except MALFORMED as error:
                raise UnpicklingError(f"the pickle is damaged: {error or type(error).__name__} at opcode "
                                      f"{code!r}") from error

    def persistent_load(self, pid):
        raise UnpicklingError("unsupported persistent id encountered")

    def take(self, form: str) -> int | float:
        """A number that follows the opcode."""
        return struct.unpack(form, self._read(struct.calcsize(form)))[0]

    def take_bytes(self, count: int) -> bytes:
        """As many bytes as the opcode announced."""
        content = self._read(count)
        if len(content) < count:
            raise UnpicklingError(f"the pickle is damaged: {count} bytes were announced, and {len(content)} are there")
        return content

    def pop_mark(self) -> list:
        """All that was put on the stack since the last mark."""
        items, self.stack = self.stack, self._marked.pop()
        return items

    def take_global(self) -> tuple[str, str]:
        """The module and name that follow the opcode."""
        module, name = (self._readline()[:-1].decode() for _ in range(2))
        return in_python_3(module, name)


def in_python_3(module: str, name: str) -> tuple[str, str]:
    """A global that Python 2 may have called by another name."""
    if (module, name) in NAME_MAPPING:
        return NAME_MAPPING[module, name]
    return IMPORT_MAPPING.get(module, module), name


def opcode(*codes: bytes):
    """Says which opcodes a function performs."""
    def register(step: Callable) -> Callable:
        Unpickler.opcodes.update((code[0], step) for code in codes)
        return step
    return register


_ALLOWED = (safe_globals.own_globals, safe_globals.added_globals)  # what users added is only looked at if it is needed


def _is_allowed(member) -> bool:
    """Whether something on the stack is one of the globals that may be used."""
    return any(member is allowed for names in _ALLOWED for allowed in names().values())


@opcode(pickle.GLOBAL)
def _global(machine: Unpickler) -> None:
    module, name = machine.take_global()
    path = f"{module}.{name}"
    if module in safe_globals.BLOCKED_MODULES:
        raise UnpicklingError(f"Trying to load unsupported GLOBAL {path} whose module {module} is blocked.")
    for names in _ALLOWED:
        allowed = names()
        if path in allowed:
            machine.stack.append(allowed[path])
            return
    shown = path.removeprefix(BUILTINS)
    raise UnpicklingError(
        f"Unsupported global: GLOBAL {shown} was not an allowed global by default. Please use "
        f"`torch.serialization.add_safe_globals([{shown}])` or the `torch.serialization.safe_globals([{shown}])` "
        "context manager to allowlist this global if you trust this class/function.")


@opcode(pickle.NEWOBJ)
def _new(machine: Unpickler) -> None:
    args, cls = machine.stack.pop(), machine.stack.pop()
    if cls is Parameter:
        machine.stack.append(Parameter(*args))
    elif _is_allowed(cls) and isinstance(cls, type):
        machine.stack.append(cls.__new__(cls, *args))
    else:
        raise UnpicklingError("Can only create new object for nn.Parameter or classes allowlisted via "
                              f"`add_safe_globals` but got {cls}")


@opcode(pickle.REDUCE)
def _call(machine: Unpickler) -> None:
    args, function = machine.stack.pop(), machine.stack[-1]
    if not _is_allowed(function):
        owner = f" which belongs to {function.__self__}" if hasattr(function, "__self__") else ""
        raise UnpicklingError(f"Trying to call reduce for unrecognized function {function}{owner}")
    if function is bytearray and args and not isinstance(args[0], (bytes, str)):
        raise UnpicklingError(f"bytearray is made of bytes here, got {type(args[0])}")  # a number would be a size
    machine.stack[-1] = function(*args)


@opcode(pickle.BUILD)
def _build(machine: Unpickler) -> None:
    state, instance = machine.stack.pop(), machine.stack[-1]
    kind = type(instance)
    if kind is Tensor:
        instance.set_(*state)  # how tensors were pickled long ago
    elif kind is OrderedDict:
        instance.__dict__.update(state)
    elif kind is not Parameter and not _is_allowed(kind):
        raise UnpicklingError("Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                              f"`add_safe_globals`, but got {kind}")
    elif hasattr(instance, "__setstate__"):
        instance.__setstate__(state)
    else:
        attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
        instance.__dict__.update(attributes or {})
        for name, value in (slots or {}).items():
            setattr(instance, name, value)


@opcode(pickle.APPEND)
def _append(machine: Unpickler) -> None:
    item = machine.stack.pop()
    _list_on(machine, "append to").append(item)


@opcode(pickle.APPENDS)
def _extend(machine: Unpickler) -> None:
    items = machine.pop_mark()
    _list_on(machine, "extend").extend(items)


def _list_on(machine: Unpickler, doing: str) -> list:
    if type(machine.stack[-1]) is not list:
        raise UnpicklingError(f"Can only {doing} lists, but got {type(machine.stack[-1])}")
    return machine.stack[-1]


@opcode(pickle.SETITEM)
def _set_item(machine: Unpickler) -> None:
    value, key = machine.stack.pop(), machine.stack.pop()
    _set(machine, "SETITEM", [key, value])


@opcode(pickle.SETITEMS)
def _set_items(machine: Unpickler) -> None:
    _set(machine, "SETITEMS", machine.pop_mark())


def _set(machine: Unpickler, name: str, items: list) -> None:
    target = machine.stack[-1]
    if type(target) not in (dict, OrderedDict, Counter):
        raise UnpicklingError(f"Can only {name} for dict, collections.OrderedDict, collections.Counter, but got "
                              f"{type(target)}")
    for key, value in zip(items[::2], items[1::2], strict=True):
        target[key] = value


@opcode(pickle.MARK)
def _mark(machine: Unpickler) -> None:
    machine._marked.append(machine.stack)
    machine.stack = []


@opcode(pickle.TUPLE)
def _tuple(machine: Unpickler) -> None:
    items = tuple(machine.pop_mark())
    machine.stack.append(items)


def _tuple_of(count: int) -> Callable:
    def step(machine: Unpickler) -> None:
        if len(machine.stack) < count:
            raise IndexError(f"a tuple of {count} from a stack of {len(machine.stack)}")
        machine.stack[-count:] = [tuple(machine.stack[-count:])]
    return step


# Opcodes that put a value on the stack, which is read from what follows.
VALUES = {
    pickle.NONE: lambda machine: None, pickle.NEWFALSE: lambda machine: False, pickle.NEWTRUE: lambda machine: True,
    pickle.EMPTY_TUPLE: lambda machine: (), pickle.EMPTY_LIST: lambda machine: [],
    pickle.EMPTY_DICT: lambda machine: {}, pickle.EMPTY_SET: lambda machine: set(),
    pickle.BININT: lambda machine: machine.take("<i"), pickle.BININT1: lambda machine: machine.take("<B"),
    pickle.BININT2: lambda machine: machine.take("<H"), pickle.BINFLOAT: lambda machine: machine.take(">d"),
    pickle.LONG1: lambda machine: pickle.decode_long(machine.take_bytes(machine.take("<B"))),
    pickle.BINUNICODE: lambda machine: str(machine.take_bytes(machine.take("<I")), "utf-8", "surrogatepass"),
    pickle.BINGET: lambda machine: machine.memo[machine.take("<B")],
    pickle.LONG_BINGET: lambda machine: machine.memo[machine.take("<I")],
}


def _value(read: Callable) -> Callable:
    def step(machine: Unpickler) -> None:
        machine.stack.append(read(machine))
    return step


def _memoize(form: str) -> Callable:
    def step(machine: Unpickler) -> None:
        machine.memo[machine.take(form)] = machine.stack[-1]
    return step


Unpickler.opcodes.update((code[0], _value(read)) for code, read in VALUES.items())
Unpickler.opcodes.update({
    pickle.TUPLE1[0]: _tuple_of(1), pickle.TUPLE2[0]: _tuple_of(2), pickle.TUPLE3[0]: _tuple_of(3),
    pickle.BINPUT[0]: _memoize("<B"), pickle.LONG_BINPUT[0]: _memoize("<I"),
})


@opcode(pickle.SHORT_BINSTRING)
def _old_string(machine: Unpickler) -> None:
    content = machine.take_bytes(machine.take("<B"))
    machine.stack.append(content if machine._encoding == "bytes" else content.decode(machine._encoding, "strict"))


@opcode(pickle.BINPERSID)
def _persistent(machine: Unpickler) -> None:
    pid = machine.stack.pop()
    if type(pid) not in (tuple, int):
        raise UnpicklingError(f"persistent_load id must be tuple or int, but got {type(pid)}")
    if type(pid) is tuple and pid and pid[0] not in ("storage", b"storage"):
        raise UnpicklingError(f"Only persistent_load of storage is allowed, but got {type(pid[0])}")
    machine.stack.append(machine.persistent_load(pid))


@opcode(pickle.PROTO)
def _protocol(machine: Unpickler) -> None:
    protocol = machine.take("<B")
    if protocol != DEFAULT_PROTOCOL:
        warnings.warn(
            f"Detected pickle protocol {protocol} in the checkpoint, which was not the default pickle protocol used by "
            f"`torch.load` ({DEFAULT_PROTOCOL}). The weights_only Unpickler might not support all instructions "
            "implemented by this protocol, please file an issue for adding support if you encounter this.",
            stacklevel=4)


@opcode(pickle.STOP)
def _stop(machine: Unpickler) -> None:
    if not machine.stack:
        raise IndexError("nothing on the stack")
    raise _Stop


def load(file, *, encoding: str = "ASCII"):
    """Read one pickle."""
    return Unpickler(file, encoding=encoding).load()


def globals_in(content: bytes) -> set[str]:
    """The full names of all globals that a pickle mentions, found without running it."""
    named = set()
    for code, argument, _ in pickletools.genops(content):
        if code.code.encode("latin-1")[0] not in Unpickler.opcodes:
            raise UnpicklingError(f"Unsupported operand {ord(code.code)}")
        if code.name == "GLOBAL":
            named.add(".".join(in_python_3(*argument.split(" ", 1))))
    return named
