# cython: annotation_typing=False
"""PyTorch's one-sentence signatures, read into parameters and results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from ..core import device
from ..core import dtype as dtypes

# What a parameter takes. The numbers are what the compiled binder switches on.
TENSOR, TENSORS, SCALAR, INT, INTS, FLOAT, FLOATS, BOOL, BOOLS, STR = range(1, 11)
DTYPE, LAYOUT, DEVICE, FORMAT, GENERATOR, SCALARS, STORAGE, OPTIONAL_TENSORS = range(11, 19)

KINDS = {
    "Tensor": TENSOR, "Tensor[]": TENSORS, "Tensor?[]": OPTIONAL_TENSORS, "Scalar": SCALAR, "Scalar[]": SCALARS,
    "int": INT, "SymInt": INT, "int[]": INTS, "SymInt[]": INTS, "float": FLOAT, "float[]": FLOATS, "bool": BOOL,
    "bool[]": BOOLS, "str": STR, "ScalarType": DTYPE, "Layout": LAYOUT, "Device": DEVICE, "MemoryFormat": FORMAT,
    "Generator": GENERATOR, "Storage": STORAGE,
}
_WORDS = {
    "None": None, "True": True, "False": False, "Mean": 1, "Sum": 2, "contiguous_format": device.contiguous_format,
    "preserve_format": device.preserve_format, "strided": device.strided, "long": dtypes.int64,
}
# Defaults that torch writes as numbers.
_NUMBERED = {(DTYPE, d.code): d for d in dtypes.ALL} | {(FORMAT, 0): device.contiguous_format}
_SENTENCE = re.compile(r"^(?:(\w+)::)?(\w+)(?:\.(\w+))?\((.*)\) -> (.*)$")
# A word, which memory it is, whether it may be None, whether it is a list. Who only writes may leave out the letter.
_TYPE = re.compile(r"^([A-Za-z]+)(\([a-z]\w*!?(?: -> \*)?\)|!)?(\?)?(\[\d*\])?(\?)?$")


@dataclass(frozen=True)
class Param:
    """One parameter: its name, what it takes, and its default."""

    name: str
    kind: int
    optional: bool = False
    size: int = 0  # int[2] takes one int for both
    has_default: bool = False
    default: object = None
    keyword_only: bool = False
    alias: str = ""  # "a" where the result shares its memory, "a!" where it is written
    text: str = ""


@dataclass(frozen=True)
class Result:
    """One result: its name where it has one, and what it aliases."""

    name: str
    alias: str
    is_list: bool
    text: str


@dataclass(frozen=True)
class Schema:
    """A parsed sentence."""

    name: str
    overload: str
    params: tuple[Param, ...]
    results: tuple[Result, ...]
    sentence: str  # without the namespace
    namespace: str = "aten"


def parse(sentence: str) -> Schema:
    """Read a sentence such as ``mm(Tensor self, Tensor mat2) -> Tensor``."""
    match = _SENTENCE.match(sentence.strip())
    if match is None:
        raise ValueError(f"not a schema: {sentence!r}; wanted name.overload(Type name, ...) -> Type")
    namespace, name, overload, params, results = match.groups()
    return Schema(name, overload or "", tuple(_params(params)), _results(results),
                  sentence.strip().removeprefix(f"{namespace}::"), namespace or "aten")


def _split(text: str) -> list[str]:
    """The pieces between commas that stand outside brackets."""
    pieces, depth = [], 0
    for piece in text.split(","):
        if depth:
            pieces[-1] += "," + piece
        else:
            pieces.append(piece.strip())
        if "(" in piece or "[" in piece or depth:
            depth += piece.count("(") + piece.count("[") - piece.count(")") - piece.count("]")
    return pieces if text.strip() else []


def _params(text: str):
    keyword_only = False
    for piece in _split(text):
        if piece == "*":
            keyword_only = True
        else:
            yield _param(piece, keyword_only)


@cache  # a thousand sentences are made of few different pieces
def _param(piece: str, keyword_only: bool) -> Param:
    declared, _, default = piece.partition("=")
    type_text, _, name = declared.strip().rpartition(" ")
    kind, alias, optional, size = _type(type_text)
    has_default = bool(default)
    value = _default(default, size) if has_default else None
    if type(value) is int:
        value = _NUMBERED.get((kind, value), value)
    return Param(name, kind, optional, size, has_default, value, keyword_only, alias, type_text)


@cache
def _results(text: str) -> tuple[Result, ...]:
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    return tuple(_result(piece) for piece in _split(text))


def _result(piece: str) -> Result:
    type_text, _, name = piece.partition(" ")
    match = _TYPE.match(type_text)
    alias = (match.group(2) or "").strip("()") if match else ""
    return Result(name, alias.replace(" -> *", ""), type_text.endswith("[]"), type_text)


def _type(text: str) -> tuple[int, str, bool, int]:
    match = _TYPE.match(text)
    if match is None:
        raise ValueError(f"unknown type in a schema: {text!r}")
    word, alias, inner_optional, brackets, outer_optional = match.groups()
    key = word
    if brackets:
        key += "?[]" if inner_optional and word == "Tensor" else "[]"
    size = int(brackets[1:-1]) if brackets and len(brackets) > 2 else 0
    optional = bool(outer_optional or (inner_optional and not brackets))
    return KINDS[key], (alias or "").strip("()").replace(" -> *", ""), optional, size


def _default(text: str, size: int):
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in "'\"":
        return text[1:-1]
    if text[0] == "[":
        return tuple(_default(piece, 0) for piece in _split(text[1:-1]))
    value = float(text) if any(c in text for c in ".e") else int(text)
    return (value,) * size if size else value
