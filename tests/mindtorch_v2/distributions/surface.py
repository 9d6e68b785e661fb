"""What torch.distributions and its modules offer: names, signatures of constructors, methods and functions."""

from __future__ import annotations

import inspect
from typing import Any

ADDRESSES = ("", ".constraints", ".transforms", ".constraint_registry", ".kl", ".utils", ".distribution", ".exp_family",
             ".relaxed_bernoulli", ".relaxed_categorical")


def surface(module: Any) -> dict[str, Any]:
    """The names that a module exports, each described."""
    return {name: described(getattr(module, name)) for name in sorted(module.__all__)}


def described(value: Any) -> Any:
    if inspect.isclass(value):
        names = [name for name in dir(value) if not name.startswith("_")]
        return {"init": signature(value), **{name: member(inspect.getattr_static(value, name)) for name in names}}
    return signature(value) if inspect.isfunction(value) else type(value).__name__


def member(value: Any) -> str | None:
    """A method by its signature; whatever else by being there."""
    value = value.__func__ if isinstance(value, staticmethod) else value
    return signature(value) if inspect.isfunction(value) else None


def signature(function: Any) -> str | None:
    """Names and defaults of parameters, without their types."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    plain = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    return str(found.replace(parameters=plain, return_annotation=found.empty))
