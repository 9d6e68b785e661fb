"""An importer for torch.x.y, which are the very modules mindtorch_v2.x.y."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from .._bytecode import FINDER
from ..core.missing_name import missing
from ..core.torch_names import PLACES
from .addresses import ADDRESSES
from .class_names import PACKAGE, take_torch_name

# The packages that PyTorch installs, and where ours stand.
_OURS = {"torch": PACKAGE, "functorch": f"{PACKAGE}._functorch.functorch"}


class TorchFinder:
    """Finds and loads torch, functorch and all below them; our own modules that are loaded later take torch's names."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None):
        """Where a name of torch's leads; None for other names, and for a module of torch's that is not there."""
        top, _, rest = fullname.partition(".")
        if top == PACKAGE:
            return self._named_when_loaded(FINDER.find_spec(fullname) or PathFinder.find_spec(fullname, path))
        if top not in _OURS:
            return None
        name = f"{_OURS[top]}.{ADDRESSES.get(rest, rest)}" if rest else _OURS[top]
        ours = importlib.util.find_spec(name)
        if ours is None:
            return (_gathered(fullname, rest) if top == "torch" else None) or self._absent(fullname)
        spec = ModuleSpec(fullname, self, origin=ours.origin, loader_state=name)
        spec.submodule_search_locations = ours.submodule_search_locations
        return spec

    @staticmethod
    def _named_when_loaded(spec: ModuleSpec | None) -> ModuleSpec | None:
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                load(module)
                take_torch_name(module)

            spec.loader.exec_module = exec_module
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Our own module; how it was found is kept, which the import system would write over."""
        module = importlib.import_module(spec.loader_state)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing but to restore what describes it: it has run already."""
        module.__spec__ = module.__spec__.loader_state

    @staticmethod
    def _absent(fullname: str) -> None:
        """An error that says so where the module is imported, and None where a program only asks (find_spec)."""
        importing = sys._getframe(3).f_code.co_name == "_find_and_load_unlocked"
        if importing:
            raise ModuleNotFoundError(f"No module named {fullname!r}: it is not in mindtorch_v2 yet (`mindtorch check` "
                                      "lists what a program lacks)", name=fullname)


class _Gatherer:
    """Loads a module of torch's whose members we keep in several: each is looked for when it is asked for."""

    @staticmethod
    def create_module(spec: ModuleSpec) -> None:
        """The import system's own."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        module.__getattr__ = missing(module.__name__)


def _gathered(fullname: str, place: str) -> ModuleSpec | None:
    """Where to get a module of torch's that we have not, if members of it, or of modules below it, are here."""
    is_package = any(there.startswith(f"{place}.") for there in PLACES)
    return ModuleSpec(fullname, _Gatherer, is_package=is_package) if is_package or place in PLACES else None
