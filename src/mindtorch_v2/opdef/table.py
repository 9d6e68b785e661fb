# cython: annotation_typing=False
"""The table of ops: every overload by its name, in the order of declaration; torch's own and, by namespace, others.

A declaration is kept as it stands. The overloads of a name are made of theirs when somebody first asks for it: of
2,600, a program calls a few hundred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..record.locks import new_lock
from .operator import Operator

_making = new_lock()


class Declaration:
    """An overload as it was declared: what its name alone tells, and how the rest is made."""

    __slots__ = ("namespace", "name", "overload", "in_python", "is_method", "_make", "made")

    def __init__(self, full_name: str, make: Callable[[], Operator], in_python: bool, is_method: bool = False):
        head, _, tail = full_name.rpartition("::")
        self.namespace = head or "aten"
        self.name, _, self.overload = tail.partition(".")
        self.in_python, self.is_method = in_python, is_method
        self._make = make
        self.made: Operator | None = None

    @property
    def op(self) -> Operator:
        """What the dispatcher reads. Overloads of a name are made in their order: later ones look at earlier ones."""
        if self.made is None:
            NAMESPACES[self.namespace].make(self.name)
        return self.made

    def make(self) -> Operator:
        if self.made is None:
            self.made = self._make()
        return self.made

    def __get__(self, instance, owner) -> Operator:
        """``Add.op``: from then on the operator itself stands there."""
        owner.op = self.op
        return owner.op


class Table(Mapping):
    """The overloads of a namespace by name."""

    def __init__(self):
        self.declared: dict[str, list[Declaration]] = {}
        self._made: dict[str, list[Operator]] = {}

    def __getitem__(self, name: str) -> list[Operator]:
        return self._made[name] if name in self._made else self.make(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.declared)

    def __len__(self) -> int:
        return len(self.declared)

    def __contains__(self, name: object) -> bool:
        return name in self.declared

    def make(self, name: str) -> list[Operator]:
        """Make what was declared under a name and is not there yet; nobody sees half of a name's overloads."""
        with _making:
            overloads = [declaration.make() for declaration in self.declared[name]]
            known = self._made.setdefault(name, overloads)
            known.extend(overloads[len(known):])
            return known

    def made_so_far(self, name: str) -> list[Operator]:
        """What an overload finds that is being made: those declared before it."""
        return [declaration.made for declaration in self.declared.get(name, ()) if declaration.made is not None]

    def add(self, declaration: Declaration) -> None:
        name = declaration.name
        declared = self.declared.setdefault(name, [])
        if any([other.overload == declaration.overload for other in declared]):
            raise TypeError(f"op {name}.{declaration.overload} is declared twice")
        declared.append(declaration)
        if name in self._made:
            self.make(name)

    def remove(self, op: Operator) -> None:
        """Take a declaration back, as torch.library does with what a program defined."""
        declared = [declaration for declaration in self.declared[op.name] if declaration.op is not op]
        self.declared[op.name], self._made[op.name] = declared, [declaration.op for declaration in declared]
        if not declared:
            del self.declared[op.name], self._made[op.name]


OPS = Table()
NAMESPACES: dict[str, Table] = {"aten": OPS}  # further ones are made by torch.library


def add(declaration: Declaration) -> Declaration:
    if declaration.namespace not in NAMESPACES:
        NAMESPACES[declaration.namespace] = Table()
    NAMESPACES[declaration.namespace].add(declaration)
    return declaration


def find(name: str, overload: str = "") -> Operator:
    for declaration in OPS.declared.get(name, ()):
        if declaration.overload == overload:
            return declaration.op
    raise LookupError(f"no op {name}.{overload}; overloads of {name}: "
                      f"{[other.overload for other in OPS.declared.get(name, ())]}")
