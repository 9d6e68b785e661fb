"""Names for memory: what a piece of it is called, what it is used for, and what can happen to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from ..table.cached_property import cached_property


class Category(Enum):
    """What memory is used for."""

    INPUT = auto()
    TEMPORARY = auto()
    ACTIVATION = auto()
    GRADIENT = auto()
    AUTOGRAD_DETAIL = auto()
    PARAMETER = auto()
    OPTIMIZER_STATE = auto()


class Action(Enum):
    """What happens to memory."""

    PREEXISTING = auto()
    CREATE = auto()
    INCREMENT_VERSION = auto()
    DESTROY = auto()


# The places of categories and actions in torch's files, and its colours.
CATEGORY_TO_COLORS = {
    Category.PARAMETER: "darkgreen", Category.OPTIMIZER_STATE: "goldenrod", Category.INPUT: "black",
    Category.TEMPORARY: "mediumpurple", Category.ACTIVATION: "red", Category.GRADIENT: "mediumblue",
    Category.AUTOGRAD_DETAIL: "royalblue", None: "grey",
}
CATEGORY_TO_INDEX = {category: i for i, category in enumerate(CATEGORY_TO_COLORS)}
ACTION_TO_INDEX = {action: action.value for action in Action}


@dataclass(frozen=True)
class Key:
    """Memory of which only the device is known."""

    device: object


@dataclass(eq=False)
class _Storage:
    """An allocation; its number says which, its address only where."""

    ptr: int
    allocation_id: int

    def __repr__(self) -> str:
        return f"{hex(self.ptr):>18} ({self.allocation_id})"

    def __eq__(self, other) -> bool:
        return isinstance(other, _Storage) and self.allocation_id == other.allocation_id

    def __hash__(self) -> int:
        return hash(self.allocation_id)


@dataclass(repr=False, eq=False, frozen=True)
class TensorKey(Key):
    """A tensor on one of its allocations. Analysis is mostly looking these up, so they are made once and hash fast."""

    id: int
    storage: _Storage

    def __eq__(self, other) -> bool:
        return self is other or (isinstance(other, TensorKey) and self._as_sortable == other._as_sortable)

    def __hash__(self) -> int:
        return self.storage.allocation_id

    def __repr__(self) -> str:
        return f"id={self.id}: {self.storage!r:<24} ({self.device})"

    def __lt__(self, other: TensorKey) -> bool:
        return self._as_sortable < other._as_sortable

    @cached_property
    def _as_sortable(self) -> tuple[int, int, str, int | None]:
        return self.id, self.storage.allocation_id, self.device.type, self.device.index

    @staticmethod
    @lru_cache(maxsize=1 << 16)
    def _make(tensor_id: int | None, storage_ptr: int | None, allocation_id: int | None,
              device: object) -> TensorKey | None:
        if tensor_id is None or storage_ptr is None or allocation_id is None:
            return None
        return TensorKey(device, tensor_id, _Storage(storage_ptr, allocation_id))

    @classmethod
    def from_allocation(cls, alloc) -> TensorKey | None:
        """The key of memory that was allocated or released."""
        return cls._make(alloc.id, alloc.ptr, alloc.allocation_id, alloc.device)

    @classmethod
    def from_tensor(cls, t) -> TensorKey | None:
        """The key of a tensor that an event was given."""
        return None if t is None else cls._make(t.id, t.storage_data_ptr, t.allocation_id, t.device)
