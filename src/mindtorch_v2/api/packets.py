"""Packets of ops, each made when its function or method is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from functools import cache

from ..core.overrides import guarded, guarded_builtin
from ..core.tensor import Tensor, add_attribute
from ..core.torch_names import PACKAGE, place_of
from ..dispatch.packet import Method, Packet
from ..opdef import table
from ..opdef.schema import INT, SCALAR, TENSOR
from .factory import Factory, FactoryMethod, is_factory
from .loss_arguments import LossFunction, place_of_reduction

BUILTIN = ("nonzero", "conj")  # written in Python here, and in C++ in torch
# Functions that ask ``__torch_function__`` themselves, about their arguments as they have sorted them out.
ASK_WHEN_SORTED = ("einsum",)

ENTERED: dict[str, Callable] = {}  # functions that are no ops, and ops that were asked for


class Functions(MutableMapping):
    """torch's functions by name: those that are entered here, and every op that Python may call."""

    def __init__(self):
        self._entered = ENTERED

    def __getitem__(self, name: str) -> Callable:
        if name not in self._entered:
            if not is_function(name):
                raise KeyError(name)
            self._entered.setdefault(name, _function(name))  # the first of two threads wins
        return self._entered[name]

    def __setitem__(self, name: str, function: Callable) -> None:
        self._entered[name] = function

    def __delitem__(self, name: str) -> None:
        del self._entered[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entered or is_function(name)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._entered, **dict.fromkeys(filter(is_function, table.OPS))})

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def guard(self) -> None:
        """Functions that sort out their arguments in Python ask ``__torch_function__`` as packets do."""
        for name, function in self._entered.items():
            if not isinstance(function, Packet) and name not in ASK_WHEN_SORTED:
                guarding = (guarded_builtin if name in BUILTIN else guarded)(function)
                place = place_of(function.__module__.partition(".")[2], name)
                guarding.__module__ = f"{PACKAGE}.{place}" if place else PACKAGE  # where it is this very object
                self._entered[name] = guarding


class LazyMethod:
    """Stands on Tensor for an op's method until somebody looks at it."""

    def __init__(self, name: str):
        self._name = name

    def __get__(self, instance, owner: type):
        shown = method(self._name)
        methods = [op for op in shown.ops if "method" in op.form.get("variants", "")]
        if len(methods) < len(shown.ops):  # signs know overloads that methods lack: 2 ** x begins with a number
            shown = type(shown)(self._name, methods)
        if vars(Tensor).get(self._name) is self:  # nobody has put another in its place
            add_attribute(self._name, shown)
        return shown.__get__(instance, owner)


def is_function(name: object) -> bool:
    """Whether torch has a function of this name that is an op."""
    return any([declaration.in_python for declaration in table.OPS.declared.get(name, ())])


def is_method(name: str) -> bool:
    """Whether Tensor has a method of this name that is an op."""
    return any([declaration.in_python and declaration.is_method for declaration in table.OPS.declared.get(name, ())])


def _shown(name: str) -> list:
    return tensors_first([op for op in table.OPS[name] if op.in_python])


def _function(name: str) -> Packet:
    shown = _shown(name)
    kind = Factory if is_factory(shown) else LossFunction if place_of_reduction(shown) >= 0 else Packet
    return kind(name, shown)


@cache
def method(name: str) -> Method:
    """What an operator sign calls, and with fewer overloads a method; none of torch's takes ``out=``."""
    shown = _shown(name)
    return (FactoryMethod if is_factory(shown) else Method)(name, [op for op in shown if not op.is_out])


def tensors_first(overloads: list) -> list:
    """Overloads in the order they are tried: one that takes a tensor before one that would take its number."""
    ordered: list = []
    for op in overloads:
        at = next((i for i, before in enumerate(ordered) if _takes_number_of(before, op)), len(ordered))
        ordered.insert(at, op)
    return ordered


def _takes_number_of(op, other) -> bool:
    """Whether the first difference of two overloads is a number here and a tensor there."""
    kinds = next(((a, b) for a, b in zip(op.kinds, other.kinds) if a != b), None)
    if op.kinds[0] != TENSOR:
        return False  # lists of tensors take the number first
    return kinds in ((SCALAR, TENSOR), (INT, TENSOR))


FUNCTIONS = Functions()


def packet_of(name: str, is_method: bool) -> Packet:
    """The function or method of a name; some functions are torch.nn.functional's alone."""
    if is_method:
        return getattr(Tensor, name)
    return FUNCTIONS[name] if name in FUNCTIONS else Packet(name, table.OPS[name])
