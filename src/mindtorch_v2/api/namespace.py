"""torch.ops: every overload of every op by its full name, in ``aten`` and in the namespaces of torch.library."""

from __future__ import annotations

from ..core import overrides
from ..dispatch import bind, dispatcher, errors
from ..opdef.function_schema import FunctionSchema
from ..opdef.operator import Operator
from ..opdef.table import NAMESPACES
from ..opdef.tags import Tag, tags_of

# Questions that torch's profiler is not told of.
UNOBSERVED = {("size", "int"), *[(name, "") for name in (
    "size", "sym_size", "stride", "sym_stride", "is_leaf", "output_nr", "_version", "is_complex")]}


class OpOverload:
    """``torch.ops.aten.add.Tensor``: one overload, called as it stands."""

    def __init__(self, packet: OpOverloadPacket, op: Operator):
        self.op = op
        self.namespace = packet.namespace
        self.overloadpacket = self._overloadpacket = packet
        self._overloadname = op.overload or "default"
        self._opname = op.name
        self._schema = FunctionSchema(op.schema)
        self.is_view = op.aliases >= 0
        self.__name__ = f"{op.name}.{self._overloadname}"
        self.__qualname__ = self._name = self.name()
        self.__module__ = f"torch._ops.{self.namespace}"

    def __call__(self, *args, **kwargs):
        answer = overrides.ask(self, args, kwargs)
        if answer is not overrides.NO:
            return overrides.settle(answer, self, args, kwargs)
        bound = bind.bind(self.op, args, kwargs, True)
        if bound is None:
            raise _mismatch(self, args, kwargs)
        return run(self.op, bound)

    @property
    def tags(self) -> list[Tag]:
        """What its author said of it."""
        return tags_of(self.name())

    def name(self) -> str:
        return f"{self.namespace}::{self.op.name}{'.' + self.op.overload if self.op.overload else ''}"

    def __str__(self) -> str:
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self.namespace}.{self.op.name}', overload='{self._overloadname}')>"

    def __deepcopy__(self, memo: dict) -> OpOverload:
        return self

    def __reduce__(self):
        return _find, (self.namespace, self.op.name, self._overloadname)


class OpOverloadPacket:
    """``torch.ops.aten.add``: all overloads of a name."""

    def __init__(self, namespace: str, name: str):
        self.namespace = namespace
        self.__name__ = name
        self._overloads: dict[str, OpOverload] = {}
        for op in NAMESPACES[namespace][name]:
            self.add(op)

    def add(self, op: Operator) -> None:
        """One more overload, defined after others had been called."""
        self._overloads[op.overload or "default"] = OpOverload(self, op)

    def overloads(self) -> list[str]:
        return list(self._overloads)

    def __getattr__(self, name: str) -> OpOverload:
        overload = self._overloads.get(name)
        if overload is None:
            raise AttributeError(f"The underlying op of '{self}' has no overload name '{name}'")
        return overload

    def __call__(self, *args, **kwargs):
        answer = overrides.ask(self, args, kwargs)
        if answer is not overrides.NO:
            return overrides.settle(answer, self, args, kwargs)
        for numbers in (False, True):
            for overload in self._overloads.values():
                bound = bind.bind(overload.op, args, kwargs, numbers)
                if bound is not None:
                    return run(overload.op, bound)
        if len(self._overloads) == 1:
            raise _mismatch(next(iter(self._overloads.values())), args, kwargs)
        ops = [overload.op for overload in self._overloads.values()]
        raise errors.no_match(f"{self.namespace}::{self.__name__}", ops, args, kwargs)

    def __str__(self) -> str:
        return f"{self.namespace}.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self}')>"

    def __deepcopy__(self, memo: dict) -> OpOverloadPacket:
        return self

    def __reduce__(self):
        return _packet, (self.namespace, self.__name__)


def run(op: Operator, bound: tuple):
    """Call an op on bound arguments; some leave no row."""
    return op.work(*bound) if (op.name, op.overload) in UNOBSERVED else dispatcher.call(op, bound)


def _mismatch(overload: OpOverload, args: tuple, kwargs: dict) -> RuntimeError:
    """torch's complaint about the first argument of one overload that is missing, unknown or of another type."""
    op, declaration = overload.op, f"Declaration: {overload._schema}"
    name, params = op.event + "()", op.schema.params
    if len(args) > op.n_positional:
        return RuntimeError(f"{name} expected at most {op.n_positional} argument(s) but received {len(args)} "
                            f"argument(s). {declaration}")
    unknown = [key for key in kwargs if key not in op.index or op.index[key] < len(args)]
    if unknown:
        return RuntimeError(f"Unknown keyword argument '{unknown[0]}' for operator '{op.event}'. Schema: "
                            f"{overload._schema}")
    given = dict(enumerate(args)) | {op.index[key]: value for key, value in kwargs.items()}
    for place, param in enumerate(params):
        if place not in given and not param.has_default:
            return RuntimeError(f"{name} is missing value for argument '{param.name}'. {declaration}")
        if place in given and not errors.Signature(op, False, False).fits(place, given[place]):
            value, kind = given[place], overload._schema.arguments[place].type
            return RuntimeError(f"{name} Expected a value of type '{kind}' for argument '{param.name}' but instead "
                                f"found type '{type(value).__name__}'.\nPosition: {place}\nValue: {value}\n"
                                f"{declaration}\nCast error details: Unable to cast {value} to {kind}")
    return errors.no_match(op.event, [op], args, kwargs)


class Namespace:
    """``torch.ops.aten``: packets by name, made when first asked for."""

    def __init__(self, name: str):
        self.__dict__["__name__"] = f"torch.ops.{name}"
        self._name = name

    def __getattr__(self, name: str) -> OpOverloadPacket:
        if name not in NAMESPACES.get(self._name, ()):
            raise AttributeError(f"'_OpNamespace' '{self._name}' object has no attribute '{name}'")
        packet = OpOverloadPacket(self._name, name)
        setattr(self, name, packet)
        return packet

    def __repr__(self) -> str:
        return f"<module 'torch.ops.{self._name}' from 'torch.ops'>"


for _cls in (OpOverload, OpOverloadPacket):
    _cls.__module__ = "torch._ops"  # where programs find them

aten = Namespace("aten")
_namespaces = {"aten": aten}


def namespace_of(name: str) -> Namespace:
    """``torch.ops.<name>``; as in torch, every name has one, though it may be empty."""
    return _namespaces.setdefault(name, Namespace(name))


def added(op: Operator) -> None:
    """Let those who hold a name know of an overload that was added to it."""
    packet = vars(namespace_of(op.schema.namespace)).get(op.name)
    if packet is not None:
        packet.add(op)


def removed(op: Operator) -> None:
    """Let a name go whose definition was taken back."""
    vars(namespace_of(op.schema.namespace)).pop(op.name, None)


# Inner halves of ops, which torch knows by the op's own name.
_WHOLE = {"_detach": "detach", "_detach_": "detach_"}


def overload_of(op: Operator) -> OpOverload:
    """``torch.ops.aten.add.Tensor`` for the op it stands for."""
    return _find(op.schema.namespace, _WHOLE.get(op.name, op.name), op.overload or "default")


def _packet(space: str, name: str) -> OpOverloadPacket:
    return getattr(namespace_of(space), name)


def _find(space: str, name: str, overload: str) -> OpOverload:
    return getattr(_packet(space, name), overload)
