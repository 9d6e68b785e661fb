"""The memory profile as arrays: each part worked out when it is first asked for, once per result.

    signatures   what calls do with the tensors they are given
    steps        the outermost ops, backward nodes and memory changes
    keys, given  tensors on their allocations; which ops were given which
    edges        what each step reads, writes, makes and drops, with versions
    told         what modules, optimizers and accumulations say of tensors
    categories   what every value is used for
    timeline     what happened when, and the bytes of each category that came and went
"""

from __future__ import annotations

import numpy as np

from ...core.device import CPU
from ..kineto.event_tree import EventTree
from ..kineto.recorded import tensors_of
from ..kineto.result import _ProfilerResult
from ..table.cached_property import cached_property
from . import changes, edges, given, signatures, steps, telling
from .keys import CATEGORY_TO_INDEX, TensorKey
from .rules import Categories


class Analysis:
    """Everything that is known of the memory in one result."""

    def __init__(self, tree: EventTree):
        self.tree = tree

    @classmethod
    def of(cls, result: _ProfilerResult) -> Analysis:
        """The one that belongs to a result."""
        return vars(result).setdefault("_memory_analysis", cls(result._tree))

    signatures = cached_property(lambda self: signatures.signatures(self.tree))
    steps = cached_property(lambda self: steps.steps(self.tree, self.signatures))
    keys = cached_property(lambda self: given.keys(self.tree.recorded.numbers.tensor))
    given = cached_property(lambda self: given.given(self.tree, self.signatures, self.keys.of_allocation))
    edges = cached_property(lambda self: edges.edges(self.tree, self.steps, self.keys, self.given))
    told = cached_property(lambda self: telling.told(self.tree, self.signatures, self.keys, self.given))
    sizes = cached_property(
        lambda self: changes.sizes(self.tree, self.signatures, self.keys, self.given, self.told))
    categories = cached_property(lambda self: Categories(self.steps, self.edges, self.keys, self.told))
    timeline = cached_property(
        lambda self: changes.timeline(self.tree, self.steps, self.edges, self.keys, self.sizes))
    changes = cached_property(lambda self: changes.changes(self.timeline, self.edges, self.categories))
    coalesced = cached_property(lambda self: changes.coalesced(self.changes, tuple(CATEGORY_TO_INDEX)))

    @cached_property
    def addresses(self) -> np.ndarray:
        """Where each allocation lies."""
        recorded = self.tree.recorded
        numbers = recorded.numbers
        address = np.zeros(len(numbers.tensor), np.int64)
        address[numbers.of_given] = recorded.given["storage"]
        address[numbers.of_memory] = self.tree.table.memory["address"]
        for facts in recorded.facts.values():
            for number, tensor in zip(numbers.of_facts.get(id(facts), ()), tensors_of(facts)):
                address[number] = tensor.storage
        return address

    def key(self, number: int) -> TensorKey:
        """The key of that number as an object."""
        allocation = int(self.keys.allocation[number])
        return TensorKey._make(int(self.keys.tensor[number]), int(self.addresses[allocation]), allocation, CPU)
