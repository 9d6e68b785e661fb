"""Number types, layout and device of tensors in a profile: the framework's own objects where it is there, which the
session hands down; on a machine that only reads profiles, plain ones that show the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ...record.places import KINDS, kind_and_index

ITEM_BYTES = {"bool": 1, "uint8": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "float16": 2, "bfloat16": 2,
              "float32": 4, "float64": 8, "complex64": 8, "complex128": 16}


NAMES = {number: name for name, number in KINDS.items()}
OWN_NAME = "privateuseone"


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


@dataclass(frozen=True)
class Layout:
    """How the elements of a tensor are stored."""

    name: str

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class TensorTypes:
    """What stands for them in this process."""

    def __init__(self):
        self.use(cache(NumberType), Place, cache(Layout), lambda: OWN_NAME)

    def use(self, by_name: Callable[[str], object], place: Callable[[str, int | None], object],
            layout: Callable[[str], object], own_name: Callable[[], str]) -> None:
        """Take these from now on; ``own_name`` says what the device of the program's own is called."""
        self.by_name, self.layout, self.cpu = by_name, layout, place("cpu", None)
        self._place, self._own_name = place, own_name

    def place(self, number: int, device: str = "") -> object:
        """The device of a number that stands above addresses; ``device`` is the one that was profiled."""
        kind, index = kind_and_index(number)
        if kind == 0:
            return self.cpu
        name = NAMES.get(kind) or (device if device and device not in KINDS else self._own_name())
        return self._place(name, index)


types = TensorTypes()
