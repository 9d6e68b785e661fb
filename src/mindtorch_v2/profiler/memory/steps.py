"""The steps that data takes: the outermost backward nodes, ops that torch knows and memory changes, by time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kineto.event_tree import EventTree
from ..views.record_scope import RecordScope
from . import passes
from .signatures import Signatures

NONE = -1


@dataclass(frozen=True)
class Steps:
    """Per step its node in the event tree, and whether it goes back."""

    node: np.ndarray
    in_backward: np.ndarray

    def __len__(self) -> int:
        return len(self.node)


def steps(tree: EventTree, signatures: Signatures) -> tuple[Steps, np.ndarray]:
    """All steps; and per node of the tree the step that it is or lies in, or -1.

    Steps that begin at the same time stay in the order of nodes.
    """
    scope = tree.table["scope"]
    is_backward = scope == RecordScope.BACKWARD_FUNCTION.value
    marked = np.zeros(len(tree.parent), np.int8)
    marked[tree.change_nodes] = 1
    marked[:tree.rows] = is_backward
    functions = np.flatnonzero(scope == RecordScope.FUNCTION.value)
    marked[functions] = signatures.is_known[signatures.of_row[functions]]
    top = np.empty(len(marked), np.int32)
    passes.outermost(tree.parent, marked, top)
    node = np.flatnonzero(top == np.arange(len(top), dtype=np.int32)).astype(np.int32)
    node = node[np.argsort(tree.began_ns(node), kind="stable")]
    number = np.full(len(top) + 1, NONE, np.int32)  # the last entry answers for -1
    number[node] = np.arange(len(node))
    in_backward = np.zeros(len(node), np.int8)
    rows = node < tree.rows
    in_backward[rows] = is_backward[node[rows]]
    return Steps(node, in_backward), number[top]
