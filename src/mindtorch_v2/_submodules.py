"""The modules of a package, in all its folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType


def import_all(package: str, root: str) -> Iterator[ModuleType]:
    """Import what stands below a package's folder, in the order of names; not what begins with an underscore."""
    modules = []
    for folder, _, files in os.walk(root):
        below = folder[len(root):].split(os.sep)[1:]
        modules += [(*below, file[:-len(".py")]) for file in files if file.endswith(".py") and file[0] != "_"]
    for names in sorted(modules):
        yield import_module(".".join((package, *names)))
