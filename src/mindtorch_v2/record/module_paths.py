"""Qualified names of modules (``blocks.0.attn.q``), read from the module that is called first: a word for each."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable

from .names import names
from .plain_text import name_of_type

SEPARATOR = "\x1f"  # a character for just this; names of classes and modules may hold any other
# (path, module, number of its own parameters that are trained) of a module and of all below it.
Layout = Callable[[object], Iterable[tuple[str, object, int]]]


class ModulePaths:
    """The words of all modules that are known; one that is called and not known is the first of its own tree."""

    def __init__(self):
        self._known: dict[int, tuple[weakref.ref, str]] = {}
        self._roots: dict[str, int] = {}
        self.numbers: dict[int, int] = {}  # of words, by the ids of living modules; a new dict when words are forgotten

    def number(self, module, layout: Layout) -> int:
        """The number of a module's word, from now on among ``numbers``."""
        numbers = self.numbers
        known = self._known.get(id(module))
        if known is None or known[0]() is not module:
            self._add_tree(module, layout)
            known = self._known[id(module)]
        number = numbers[id(module)] = names.number(known[1])
        return number

    def _add_tree(self, module, layout: Layout) -> None:
        kind = name_of_type(type(module))
        count = self._roots[kind] = self._roots.get(kind, 0) + 1
        root = kind if count == 1 else f"{kind}#{count}"
        self._add(module, _word(kind, 0, root, ""))  # known, whatever its layout says
        try:
            for path, member, parameters in layout(module):
                self._add(member, _word(name_of_type(type(member)), parameters, root, path))
        except Exception:
            pass  # a module that does not tell what is in it; the program is not to hear of it

    def _add(self, module, word: str) -> None:
        address = id(module)

        def forget(dead: weakref.ref) -> None:
            if address in self._known and self._known[address][0] is dead:
                del self._known[address]
                self.numbers.pop(address, None)

        self._known[address] = weakref.ref(module, forget), word


def _word(kind: str, parameters: int, root: str, path: str) -> str:
    """What the name of a module's row says: its class, how many parameters of its own are trained, the module that was
    called first, and the way from there, which is empty for that module itself."""
    return SEPARATOR.join(part.replace(SEPARATOR, " ") for part in (kind, str(parameters), root, path))
