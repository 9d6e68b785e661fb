"""The CPU's kernels by name: plain functions on arrays, in folders that mirror ops/.

Every public function of a module here is the kernel of its name. Elementwise ones, which many ops share one form of,
are rows of a table ``ELEMENTWISE``: what computes them on any arrays, ``f(*operands, *numbers, out=None)``, and the
compiled loop over floats of any layout, ``f(out, *operands, *numbers)``, if there is one; and, where the function is
not one of NumPy's itself, the one that it comes to if its numbers are the usual ones. A compiled loop that needs no
function around it is a kernel too.
"""

from __future__ import annotations

from collections.abc import Callable
from os.path import dirname
from types import ModuleType

import numpy as np

from ...._submodules import import_all
from .. import SUBJECTS, pick

KERNELS: dict[str, Callable] = {}
LOOPS: dict[str, Callable] = {}
UFUNCS: dict[str, np.ufunc] = {}  # what a kernel is to NumPy, if it is no more than that


def _add(name: str, kernel: Callable, module: ModuleType) -> None:
    if name in KERNELS:
        raise TypeError(f"two kernels are called {name!r}, one of them in {module.__name__}")
    KERNELS[name] = kernel


def _is_function_of(module: ModuleType, value) -> bool:
    """Whether a value is a function that a module defines; those of a compiled module are of a type of their own."""
    return callable(value) and not isinstance(value, type) and getattr(value, "__module__", "") == module.__name__


def _collect() -> None:
    for module in import_all(__name__, dirname(__file__)):
        table = getattr(module, "ELEMENTWISE", {})
        for name, (function, loop, *plain) in table.items():
            _add(name, function, module)
            if isinstance(function, np.ufunc) or plain:
                UFUNCS[name] = plain[0] if plain else function
            if loop is not None:
                LOOPS[name] = loop
        for name, value in vars(module).items():
            if name[0] != "_" and name not in table and _is_function_of(module, value):
                _add(name, value, module)
    for subject in SUBJECTS:
        for name, value in vars(pick(subject)).items():
            if name[0] != "_" and getattr(value, "__module__", "").endswith("." + subject):
                KERNELS.setdefault(name, value)


_collect()
