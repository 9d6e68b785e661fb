"""torch.library.Library: definitions of ops and functions for them, which go when it goes."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ..opdef import table
from ..opdef.schema import parse
from ..opdef.tags import tag
from . import keys
from .definition import DEFINITIONS, Definition
from .overridden import Override

KINDS = ("IMPL", "DEF", "FRAGMENT")
RESERVED = {"prim"}
ONCE = ("Only a single TORCH_LIBRARY can be used to register the namespace {ns}; please put all of your definitions in "
        "a single TORCH_LIBRARY block.  If you were trying to specify implementations, consider using "
        "TORCH_LIBRARY_IMPL (which can be duplicated).  If you really intended to define operators for a single "
        "namespace in a distributed way, you can use TORCH_LIBRARY_FRAGMENT to explicitly indicate this.")
_defining: set[str] = {"aten"}  # namespaces that have a library of kind DEF


class Library:
    """``Library("mylib", "DEF")`` defines a namespace, ``"FRAGMENT"`` adds to one, ``"IMPL"`` gives functions alone."""

    def __init__(self, ns: str, kind: str, dispatch_key: str = ""):
        if kind not in KINDS:
            raise ValueError(f"Unsupported kind: {kind}")
        if ns in RESERVED and kind in ("DEF", "FRAGMENT"):
            raise ValueError(f"{ns} is a reserved namespace. Please try creating a library with another name.")
        if kind == "DEF" and ns in _defining:
            raise RuntimeError(ONCE.format(ns=ns))
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._undo: list[Callable[[], None]] = []
        if kind == "DEF":
            _defining.add(ns)
            self._undo.append(lambda: _defining.discard(ns))
        weakref.finalize(self, _undone, self._undo).atexit = False

    def define(self, schema: str, alias_analysis: str = "", *, tags=()) -> str:
        """Define an op by its schema, ``foo(Tensor x) -> Tensor``; returns its name."""
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        if self.kind == "IMPL":
            raise RuntimeError("define() is for libraries of kind DEF or FRAGMENT; this one is of kind IMPL")
        parsed = _parsed(f"{self.ns}::{schema.strip().removeprefix(f'{self.ns}::')}")
        name = f"{parsed.name}{'.' + parsed.overload if parsed.overload else ''}"
        if f"{self.ns}::{name}" in DEFINITIONS:
            raise RuntimeError(f"Tried to register an operator ({self.ns}::{parsed.sentence}) with the same name and "
                               "overload name multiple times. Each overload's schema should only be registered with a "
                               "single call to def().")
        tag(f"{self.ns}::{name}", tags)
        self._undo.append(Definition(f"{self.ns}::{parsed.sentence}").forget)
        return name

    def impl(self, op_name, fn: Callable, dispatch_key: str = "", *, with_keyset: bool = False,
             allow_override: bool = True) -> None:
        """Have a function answer for an op under a dispatch key."""
        if not callable(fn):
            raise TypeError(f"Input function is required to be a callable but found type {type(fn)}")
        key = keys.checked(dispatch_key or self.dispatch_key or keys.IMPLICIT)
        name = _name_of(op_name, self.ns)
        definition = DEFINITIONS.get(name)
        if definition is None:
            override = Override(_own_op(name), fn, key)
            self._undo.append(override.forget)
            return
        before = definition.kernels.get(key)
        definition.kernels[key] = fn
        self._undo.append(lambda: _put_back(definition.kernels, key, fn, before))

    def _destroy(self) -> None:
        """Take back everything this library said."""
        _undone(self._undo)

    def __repr__(self) -> str:
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"


def _undone(undo: list[Callable[[], None]]) -> None:
    while undo:
        undo.pop()()


def _put_back(kernels: dict, key: str, function: Callable, before: Callable | None) -> None:
    if kernels.get(key) is function:
        del kernels[key]
        if before is not None:
            kernels[key] = before


def _parsed(schema: str):
    try:
        return parse(schema)
    except (ValueError, KeyError) as error:
        raise RuntimeError(f"cannot read the schema {schema!r}: {error}") from None


def _name_of(op, ns: str) -> str:
    """The full name, ``ns::name.overload``, of what was given: a name, or an overload of torch.ops."""
    if not isinstance(op, str):
        op = op.name()
    return op if "::" in op else f"{ns}::{op}"


def _own_op(name: str):
    """The op of torch's own of that name."""
    space, _, rest = name.partition("::")
    op, _, overload = rest.partition(".")
    for known in table.NAMESPACES.get(space, {}).get(op, ()):
        if known.overload == overload:
            return known
    raise RuntimeError(f"there is no operator {name}: define() it first")


_kept: dict[str, Library] = {}  # libraries of functions that are given none


def library_for(name: str) -> Library:
    """The library that belongs to a full name when the user gives none; it stays for good."""
    space = name.partition("::")[0]
    return _kept.setdefault(space, Library(space, "FRAGMENT"))


def define(qualname: str, schema: str, *, lib: Library | None = None, tags=()) -> None:
    """Define an op by its full name and the rest of its schema, ``(Tensor x) -> Tensor``."""
    if not isinstance(qualname, str):
        raise ValueError(f"define(qualname, schema): expected qualname to be instance of str, got {type(qualname)}")
    (lib or library_for(qualname)).define(qualname.partition("::")[2] + schema, tags=tags)


def impl(qualname, types: str | Sequence[str], func=None, *, lib: Library | None = None):
    """Have a function answer for an op on devices, or under a dispatch key; also a decorator.

    The older form, ``impl(library, name, key)``, is a decorator too.
    """
    if isinstance(qualname, Library):
        return _decorator(lambda f: qualname.impl(types, f, "" if func is None else func))
    kinds = (types,) if isinstance(types, str) else types

    def register(function: Callable) -> None:
        for kind in kinds:
            key = keys.IMPLICIT if kind == "default" else keys.OF_DEVICE.get(kind, kind)
            (lib or library_for(qualname)).impl(qualname, function, key)

    if func is None:
        return _decorator(register)
    register(func)
    return None


def _decorator(register: Callable[[Callable], None]) -> Callable:
    def decorate(function: Callable) -> Callable:
        register(function)
        return function
    return decorate


@contextmanager
def _scoped_library(*args, **kwargs) -> Iterator[Library]:
    """A library for the length of a block."""
    library = Library(*args, **kwargs)
    try:
        yield library
    finally:
        library._destroy()
