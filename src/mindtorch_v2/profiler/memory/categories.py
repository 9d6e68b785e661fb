"""Categories of memory, told by tensor, by one of its allocations, or by one version of its contents."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from .keys import Category, Key, TensorKey


@dataclass(slots=True)
class CategoryElement:
    """What is known of one tensor; what holds for all of it wins over what holds for a part."""

    by_id: Category | None = None
    by_key: dict[TensorKey, Category] = field(default_factory=dict)
    by_version: dict[tuple[TensorKey, int], Category] = field(default_factory=dict)


@dataclass
class CategoryDict:
    """What is known of all tensors."""

    _values: defaultdict[int, CategoryElement] = field(default_factory=lambda: defaultdict(CategoryElement))

    def set_by_id(self, key: TensorKey, category: Category) -> None:
        """All of the tensor, whatever its memory."""
        self._values[key.id].by_id = category

    def set_by_key(self, key: TensorKey, category: Category) -> None:
        """The tensor on this allocation."""
        self._values[key.id].by_key[key] = category

    def set_by_version(self, key: TensorKey, version: int, category: Category) -> None:
        """This version of its contents."""
        self._values[key.id].by_version[key, version] = category

    def setdefault_by_version(self, key: TensorKey, version: int, category: Category) -> None:
        """This version of its contents, unless that is known already."""
        self._values[key.id].by_version.setdefault((key, version), category)

    def get(self, key: Key, version: int) -> Category | None:
        """The category, or None if nothing is known."""
        known = self._values.get(key.id) if isinstance(key, TensorKey) else None
        return known and (known.by_id or known.by_key.get(key) or known.by_version.get((key, version)))
