"""The memory profile as arrays: each part worked out when it is first asked for, once per result.

    flow         tensors on their allocations (keys); the steps that data takes; what each step does with which key
                 (edges); what modules, optimizers and accumulations say of keys; the bytes behind them
    categories   what every value (a key at a version) is used for
    changes      the bytes of each category that came and went, by time
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...record.places import ADDRESS, ADDRESS_BITS
from ..kineto.event_tree import EventTree
from ..kineto.recorded import distinct, tensors_of
from ..kineto.result import _ProfilerResult
from ..table.cached_property import cached_property
from .changes import Timeline, changes, timeline
from .edges import Edges, edges
from .given import Keys, given, keys
from .keys import TensorKey
from .rules import categories
from .signatures import signatures
from .sizes import sizes
from .steps import Steps, steps
from .telling import Told, told


class Flow(NamedTuple):
    """Who did what to which tensor."""

    keys: Keys
    steps: Steps
    edges: Edges
    told: Told
    sizes: np.ndarray


def _flow(tree: EventTree) -> Flow:
    """Every part from those before it; signatures and given tensors are not kept."""
    of_calls = signatures(tree)
    all_keys = keys(tree.recorded.numbers.tensor)
    all_steps, step_of_node = steps(tree, of_calls)
    all_given = given(tree, of_calls, all_keys.of_allocation)
    all_told = told(tree, of_calls, all_keys, all_given)
    all_edges = edges(tree, all_steps, step_of_node, all_keys, all_given)
    return Flow(all_keys, all_steps, all_edges, all_told, sizes(tree, of_calls, all_keys, all_given, all_told))


class Analysis:
    """Everything that is known of the memory in one result."""

    def __init__(self, tree: EventTree):
        self.tree = tree

    @classmethod
    def of(cls, result: _ProfilerResult) -> Analysis:
        """The one that belongs to a result."""
        return vars(result).setdefault("_memory_analysis", cls(result._tree))

    keys = property(lambda self: self._flow.keys)
    steps = property(lambda self: self._flow.steps)
    edges = property(lambda self: self._flow.edges)
    told = property(lambda self: self._flow.told)
    sizes = property(lambda self: self._flow.sizes)

    @cached_property
    def _flow(self) -> Flow:
        return _flow(self.tree)

    categories = cached_property(lambda self: categories(self.steps, self.edges, self.keys, self.told))
    changes = cached_property(lambda self: changes(self.timeline(), self.edges, self.categories))

    def timeline(self) -> Timeline:
        """What happened when; soon worked out, and not kept."""
        return timeline(self.tree, self.steps, self.edges, self.keys, self.sizes, self.addresses >> ADDRESS_BITS)

    @cached_property
    def addresses(self) -> np.ndarray:
        """Where each allocation lies; above the bits of an address, on which device."""
        recorded = self.tree.recorded
        numbers = recorded.numbers
        address = np.zeros(len(numbers.tensor), np.int64)
        address[numbers.of_given] = recorded.given["storage"]
        address[numbers.of_memory] = self.tree.changes["address"]
        for facts in distinct(recorded.facts):
            for number, tensor in zip(numbers.of_facts.get(id(facts), ()), tensors_of(facts)):
                address[number] = tensor.storage
        return address

    def key(self, number: int) -> TensorKey:
        """The key of that number as an object."""
        allocation = int(self.keys.allocation[number])
        address = int(self.addresses[allocation])
        return TensorKey._make(int(self.keys.tensor[number]), address & ADDRESS, allocation,
                               self.tree.place(address >> ADDRESS_BITS))
