"""Calls and members of modules, uncompiled: Python finds ``__call__`` and ``__getattr__`` itself (quick_module.pyx)."""

from __future__ import annotations


def install(cls: type) -> None:
    """Have the interpreter enter the modules of a class in a quicker way; there is none."""


def prepare(cls: type, hooks: tuple[dict, ...]) -> None:
    """Note the class of all modules and the tables of hooks on all of them; nobody asks."""
