"""Which overload an event was, judged by the inputs it recorded, and which of them it writes to."""

from __future__ import annotations

from types import NoneType

from ..kineto.fields import _TensorMetadata

PREFIX = "aten::"
# Behind the word for what a parameter takes: it may be missing; the op writes to it.
OPTIONAL, WRITTEN = "?", "!"
# What a recorded input can be for each word; lists of numbers and texts are recorded as None.
_NUMBERS = (int, float, complex, bool)
TAKES = {
    "Tensor": (_TensorMetadata,), "Tensor[]": (list,), "Tensor?[]": (list, NoneType), "Scalar": _NUMBERS,
    "int": (int,), "float": (float, int), "bool": (bool,), "ScalarType": (int,), "Layout": (int,),
    "MemoryFormat": (int,), "Device": (int, NoneType),
}
Overload = tuple[str, ...]


def matching(overloads: tuple[Overload, ...], observed: tuple[type, ...]) -> list[Overload]:
    """The overloads that take inputs of these types."""
    return [words for words in overloads if len(words) == len(observed) and all(map(fits, observed, words))]


def mutable(fitting: list[Overload], count: int) -> tuple[bool | None, ...]:
    """Per input whether any of the overloads that fit writes to it; None if there is none."""
    return tuple(any(words[i].endswith(WRITTEN) for words in fitting) if fitting else None for i in range(count))


def fits(observed: type, word: str) -> bool:
    """Whether an input of this type can stand for a parameter."""
    kind = word.removesuffix(WRITTEN)
    taken = TAKES.get(kind.removesuffix(OPTIONAL))
    if taken is None or (observed is NoneType and kind.endswith(OPTIONAL)):
        return observed is NoneType
    return issubclass(observed, taken) and not (observed is bool and bool not in taken and int not in taken)
