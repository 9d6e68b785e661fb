"""MemoryProfile: what is known of all memory in a result, as objects that are made when somebody looks at them."""

from __future__ import annotations

import numpy as np

from ..table.cached_property import cached_property
from .analysis import Analysis
from .categories import CategoryDict
from .data_flow import DataFlowGraph
from .given import NO_KEY
from .keys import Action, Category, Key, TensorKey
from .op_tree import OpTree, SizeMap
from .rules import NO_CATEGORY


class MemoryProfile:
    """Categories of all memory in a result. A value is a tensor at a version: ``(key, version)``."""

    def __init__(self, result):
        self._op_tree = OpTree(result)
        self._analysis = Analysis.of(result)

    _data_flow_graph = cached_property(lambda self: DataFlowGraph(self._op_tree))
    _size_map = cached_property(lambda self: SizeMap(self._op_tree))

    @cached_property
    def _categories(self) -> CategoryDict:
        """The category of every value of which it is known."""
        categories, known = self._analysis.categories, CategoryDict()
        for (key, version), category in self._category_snapshot().items():
            if categories.of_tensor[key.id] != NO_CATEGORY:
                known.set_by_id(key, category)
            elif category is Category.TEMPORARY:
                known.set_by_key(key, category)
            elif category is not None:
                known.set_by_version(key, version, category)
        return known

    def _is_gradient(self, *args, **kwargs) -> bool:
        return self._categories.get(*args, **kwargs) is Category.GRADIENT

    def _category_snapshot(self) -> dict[tuple[TensorKey, int], Category | None]:
        """Every value and its category; and the tensors of which only modules and optimizers tell."""
        analysis, categories = self._analysis, self._analysis.categories
        told = analysis.told
        snapshot = {}
        only_told = {*told.gradients, *told.parameters, *told.states}
        for number, last_version in enumerate(analysis.edges.last_version.tolist()):
            if last_version < 0 and number in only_told:
                snapshot[analysis.key(number), 0] = Category(categories.of_tensor[analysis.keys.tensor[number]])
            elif last_version >= 0:
                key, base = analysis.key(number), analysis.edges.base[number]
                for version, category in enumerate(categories.of_value[base:base + last_version + 1].tolist()):
                    snapshot[key, version] = None if category == NO_CATEGORY else Category(category)
        return snapshot

    @cached_property
    def timeline(self) -> tuple[tuple[int, Action, tuple[Key, int], int], ...]:
        """(time, what happened, to which version of what, bytes), by time; -1 for what was there before."""
        entries = self._analysis.timeline()
        place, named = self._analysis.tree.place, self._analysis.key
        unnamed = {number: Key(place(number)) for number in np.unique(entries.place).tolist()}
        return tuple((time_ns, Action(action), (unnamed[where] if key == NO_KEY else named(key), version), size)
                     for time_ns, action, key, version, size, where in
                     zip(*(column.tolist() for column in vars(entries).values())))
