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
    """Per step its node in the event tree and when it began; per node the step it is or lies in, or -1."""

    node: np.ndarray
    start_ns: np.ndarray
    in_backward: np.ndarray
    of_node: np.ndarray

    def __len__(self) -> int:
        return len(self.node)


def steps(tree: EventTree, signatures: Signatures) -> Steps:
    """What lies in a step is part of it; steps that begin at the same time stay in the order of nodes."""
    scope = tree.table["scope"]
    is_backward = scope == RecordScope.BACKWARD_FUNCTION.value
    marked = np.ones(len(tree.parent), np.int8)  # memory changes, behind the rows
    marked[:tree.rows] = is_backward
    functions = np.flatnonzero(scope == RecordScope.FUNCTION.value)
    marked[functions] = signatures.is_known[signatures.of_row[functions]]
    top = np.empty(len(marked), np.int32)
    passes.outermost(tree.parent, marked, top)
    node = np.flatnonzero(top == np.arange(len(top), dtype=np.int32))
    start_ns = np.asarray(tree.start_ns)[node]
    order = np.argsort(start_ns, kind="stable")
    node, start_ns = node[order].astype(np.int32), start_ns[order]
    number = np.full(len(top) + 1, NONE, np.int32)  # the last entry answers for -1
    number[node] = np.arange(len(node))
    in_backward = np.zeros(len(node), np.int8)
    rows = node < tree.rows
    in_backward[rows] = is_backward[node[rows]]
    return Steps(node, start_ns, in_backward, number[top])
