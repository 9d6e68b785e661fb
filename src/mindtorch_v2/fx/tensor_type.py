"""Types of tensors by their sizes, for annotations: TensorType((1, 2, Dyn))."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["Dyn", "TensorType", "is_consistent", "is_more_precise"]


class TensorType:
    """The type of tensors with these sizes; ``Dyn`` stands for any."""

    def __init__(self, dim: Sequence[Any]) -> None:
        self.__origin__, self.__args__ = TensorType, dim

    @property
    def dims(self) -> Sequence[Any]:
        """The sizes."""
        return self.__args__

    def __repr__(self) -> str:
        return f"TensorType[{self.dims}]"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorType) and list(self.dims) == list(other.dims)

    __hash__ = None

    @staticmethod
    def __class_getitem__(*args: Any) -> TensorType:
        return TensorType(args[0] if len(args) == 1 and isinstance(args[0], tuple) else args)


class _DynType:
    """Nothing is known."""

    __name__ = "_DynType"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _DynType)

    def __hash__(self) -> int:
        return hash(_DynType)

    def __repr__(self) -> str:
        return "Dyn"


Dyn = _DynType()


def is_consistent(t1: Any, t2: Any) -> bool:
    """Whether something may be of both types."""
    if t1 == t2 or t1 == Dyn or t2 == Dyn:
        return True
    return _by_dims(is_consistent, t1, t2)


def is_more_precise(t1: Any, t2: Any) -> bool:
    """Whether what is of the first type is of the second, too."""
    return t1 == t2 or isinstance(t2, _DynType) or _by_dims(is_more_precise, t1, t2)


def _by_dims(relation: Any, t1: Any, t2: Any) -> bool:
    return isinstance(t1, TensorType) and isinstance(t2, TensorType) and len(t1.dims) == len(t2.dims) \
        and all(map(relation, t1.dims, t2.dims))
