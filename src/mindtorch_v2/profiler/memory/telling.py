"""Tensors of which it is told what they are: the parameters and gradients of modules, the state of optimizers, and
gradients where they are accumulated."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..kineto.event_tree import EventTree
from ..kineto.fields import _TensorMetadata
from ..kineto.recorded import distinct
from .given import NO_KEY, Given, Keys
from .signatures import Signatures, spanned_bytes

ACCUMULATE = "torch::autograd::AccumulateGrad"
# A first gradient is only detached; a further one is added to the one that is there.
ACCUMULATING = ("aten::detach", "aten::add_")


@dataclass
class Told:
    """Keys by what they are, and the bytes that modules' and optimizers' tensors span."""

    gradients: list[int] = field(default_factory=list)
    parameters: list[int] = field(default_factory=list)
    states: list[int] = field(default_factory=list)
    spanned: dict[int, int] = field(default_factory=dict)


def told(tree: EventTree, signatures: Signatures, keys: Keys, given: Given) -> Told:
    """Everything that calls and accumulations tell."""
    all_told = Told()
    for facts in distinct(tree.recorded.modules):
        for _, tensor, gradient in tree.tensors_of_facts(facts):
            _tell(all_told, all_told.parameters, keys, tensor)
            _tell(all_told, all_told.gradients, keys, gradient)
    for facts in distinct(tree.recorded.optimizers):
        for tensor, gradient, states in tree.tensors_of_facts(facts):
            _tell(all_told, all_told.parameters, keys, tensor)
            _tell(all_told, all_told.gradients, keys, gradient)
            for _, state in states:
                _tell(all_told, all_told.states, keys, state)
    all_told.gradients += _accumulated(tree, signatures, given)
    return all_told


def _tell(all_told: Told, named: list[int], keys: Keys, tensor: _TensorMetadata | None) -> None:
    if tensor is None or tensor.storage_data_ptr is None or tensor.allocation_id is None:
        return
    key = int(keys.of_allocation[tensor.allocation_id])
    if key != NO_KEY:
        named.append(key)
        spans = spanned_bytes(tensor.sizes, tensor.strides, tensor.dtype.itemsize)
        all_told.spanned[key] = max(all_told.spanned.get(key, 0), spans)


def _accumulated(tree: EventTree, signatures: Signatures, given: Given) -> list[int]:
    """The keys of gradients that accumulations begin with."""
    names = tree.table.names
    accumulates = np.array([name == ACCUMULATE for name, _ in names], bool)
    is_accumulation = np.zeros(len(tree.parent) + 1, bool)  # the last entry answers for -1
    is_accumulation[:tree.rows] = accumulates[tree.table["name"]] & (signatures.of_row >= 0)
    children = np.flatnonzero(is_accumulation[tree.parent])
    children = children[np.lexsort((tree.began_ns(children), tree.parent[children]))]
    first = children[np.flatnonzero(np.diff(tree.parent[children], prepend=-1))]
    first = first[first < tree.rows]
    accumulating = np.array([name in ACCUMULATING for name, _ in names], bool)
    first = first[accumulating[tree.table["name"][first]] & (signatures.of_row[first] >= 0)]
    first = first[signatures.begins_with_tensor[signatures.of_row[first]]]
    return _first_given(signatures, given, first)


def _first_given(signatures: Signatures, given: Given, rows: np.ndarray) -> list[int]:
    """The keys of the first tensors given to these rows, where they have one."""
    if not len(given.row):
        return []
    at = np.minimum(np.searchsorted(given.row, rows), len(given.row) - 1)
    is_first = (given.row[at] == rows) & (given.cell[at] == signatures.first[signatures.of_row[rows]])
    return given.key[at[is_first]].tolist()
