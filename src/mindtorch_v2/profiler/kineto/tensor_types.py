"""Number types, layout and device of tensors in a profile: the framework's own objects where it is there, which the
session hands down; on a machine that only reads profiles, plain ones that show the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

ITEM_BYTES = {"bool": 1, "uint8": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "float16": 2, "bfloat16": 2,
              "float32": 4, "float64": 8, "complex64": 8, "complex128": 16}


@dataclass(frozen=True)
class NumberType:
    """A number type by its name."""

    name: str

    @property
    def itemsize(self) -> int:
        return ITEM_BYTES[self.name]

    def __repr__(self) -> str:
        return f"torch.{self.name}"


@dataclass(frozen=True)
class Place:
    """Where a tensor lives."""

    type: str
    index: int | None = None

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"


class Strided:
    """The layout of all tensors."""

    def __repr__(self) -> str:
        return "torch.strided"


class TensorTypes:
    """What stands for them in this process."""

    def __init__(self):
        self.use(cache(NumberType), Place("cpu"), Strided())

    def use(self, by_name: Callable[[str], object], cpu: object, strided: object) -> None:
        """Take these from now on."""
        self.by_name, self.cpu, self.strided = by_name, cpu, strided


types = TensorTypes()
