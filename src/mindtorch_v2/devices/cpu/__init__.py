"""Arrays in, arrays out; the long loops only. Each subject is compiled, with a readable reference beside it."""

from __future__ import annotations

import os
from importlib import import_module
from inspect import isfunction
from types import SimpleNamespace

from . import heap  # noqa: F401  before the first array is made
from .errstate import silent

SUBJECTS = tuple(sorted(
    name[:-len(".pyx")] for name in os.listdir(os.path.join(os.path.dirname(__file__), "compiled"))
    if name.endswith(".pyx")))


def pick(subject: str):
    """The compiled kernels of a subject, or their reference where nothing is compiled (or wanted)."""
    if not os.environ.get("MINDTORCH_UNCOMPILED"):
        try:
            return import_module(f".compiled.{subject}", __name__)
        except ImportError:
            pass
    return quiet(import_module(f".reference.{subject}", __name__))


def quiet(reference) -> SimpleNamespace:
    """The functions of a reference without NumPy's warnings, which compiled kernels never give."""
    return SimpleNamespace(**{name: silent(f) if isfunction(f) else f for name, f in vars(reference).items()
                              if not name.startswith("_")})


# All at once: the first op that needed a subject would otherwise show the time it takes to load.
globals().update({subject: pick(subject) for subject in SUBJECTS})
