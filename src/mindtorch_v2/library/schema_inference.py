"""infer_schema: the schema of an op from the annotations of the Python function that computes it."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Sequence
from numbers import Number
from types import UnionType

from ..core.device import device
from ..core.dtype import DType
from ..core.tensor import Tensor

_WORDS = {Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str", DType: "ScalarType",
          device: "Device", Number: "Scalar"}
_SCALAR = {int, float, bool}
_RETURNED = {Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", Number: "Scalar"}


def infer_schema(prototype_function: Callable, /, *, mutates_args: str | Iterable[str],
                 op_name: str | None = None, tags=()) -> str:
    """The schema in torch's words; ``mutates_args`` names the arguments that are written, or is "unknown"."""
    signature = inspect.signature(prototype_function)
    types = typing.get_type_hints(prototype_function)

    def refuse(what: str):
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    parts, starred = [], False
    for number, parameter in enumerate(signature.parameters.values()):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            refuse("We do not support positional-only args, varargs, or varkwargs.")
        if parameter.annotation is inspect.Parameter.empty:
            refuse(f"Parameter {parameter.name} must have a type annotation.")
        word = _word(types[parameter.name])
        if word is None:
            refuse(f"Parameter {parameter.name} has unsupported type {parameter.annotation}.")
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        if mutates_args == "unknown" and word.startswith("Tensor") or parameter.name in mutates_args:
            if not word.startswith("Tensor"):
                refuse(f"Parameter {parameter.name} is in mutable_args but only Tensors or collections of Tensors can "
                       "be mutated")
            word = word.replace("Tensor", f"Tensor(a{number}!)")
        default = "" if parameter.default is inspect.Parameter.empty else f"={_default(parameter.default)}"
        parts.append(f"{word} {parameter.name}{default}")
    unknown = set() if mutates_args == "unknown" else set(mutates_args) - set(signature.parameters)
    if unknown:
        refuse(f"{sorted(unknown)} in mutates_args were not found in the list of arguments.")
    return f"{op_name or ''}({', '.join(parts)}) -> {_returned(signature, types, refuse)}"


def _word(kind) -> str | None:
    """A type's word; an optional one ends with a question mark, a list with brackets."""
    if kind in _WORDS:
        return _WORDS[kind]
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, UnionType):
        others = [part for part in inner if part is not type(None)]
        if set(others) == _SCALAR:
            word = "Scalar"
        else:
            word = _word(others[0]) if len(others) == 1 else None
        return word and word + "?" * (len(others) < len(inner))
    if origin in (list, Sequence) and len(inner) == 1:
        word = _word(inner[0])
        return word and f"{word}[]"
    return None


def _default(value) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _returned(signature: inspect.Signature, types: dict, refuse: Callable) -> str:
    if signature.return_annotation is inspect.Signature.empty:
        refuse("No return type annotation was provided. Please add one.")
    kind = types["return"]
    if kind is type(None):
        return "()"
    if typing.get_origin(kind) is tuple:
        return "(" + ", ".join(_result(part, refuse) for part in typing.get_args(kind)) + ")"
    return _result(kind, refuse)


def _result(kind, refuse: Callable) -> str:
    if typing.get_origin(kind) is list and typing.get_args(kind) == (Tensor,):
        return "Tensor[]"
    if kind not in _RETURNED:
        refuse(f"Return has unsupported type {kind}.")
    return _RETURNED[kind]
