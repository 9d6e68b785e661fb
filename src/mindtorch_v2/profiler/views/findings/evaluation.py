"""Habits in evaluation: graphs that nothing goes back through, modules left in training mode."""

from __future__ import annotations

import numpy as np

from ..digest import Digest
from ..evaluation import evaluation_calls
from .finding import Finding, counted, evidence_of, texts, time_text

LEAST_CALLS = 3  # of a model in a profile where nothing is trained: one or two may be what somebody looks at
COUNTS_BATCHES, NORMALISES, DROPS = "aten::add_", "aten::batch_norm", "aten::dropout"


def graphs_never_used(digest: Digest):
    """Evaluation that records a graph: every result keeps what its backward would need."""
    calls = _calls(digest)
    graded = [rows for rows in calls if _records_graph(digest, rows)]
    if not graded or (len(calls) < LEAST_CALLS and not digest.kinds.is_backward.any()):
        return
    places, events = evidence_of(digest, np.array([rows[0] for rows in graded]))
    yield Finding("graph in evaluation", "Evaluation records a graph that nothing goes back through",
                  texts(f"{counted(len(graded), 'call')} of a model, {time_text(_lasted_ns(digest, graded))} in all",
                        places),
                  "Evaluate under torch.inference_mode() or torch.no_grad(): ops then keep nothing for a backward "
                  "pass, which saves memory and some time in each.", _lasted_ns(digest, graded), events)


def training_mode_in_evaluation(digest: Digest):
    """Evaluation that drops values, or normalises by its batch, as training does."""
    calls = [rows for rows in _calls(digest) if _is_in_training_mode(digest, rows)]
    if not calls:
        return
    places, events = evidence_of(digest, np.array([rows[0] for rows in calls]))
    yield Finding("training mode in evaluation", "The model is evaluated in training mode",
                  texts(f"{counted(len(calls), 'call')} with dropout or BatchNorm as in training", places),
                  "Call model.eval() before evaluation and model.train() behind it: else dropout makes the results "
                  "random, and BatchNorm depends on the batch and learns from it.", 0, events)


def _calls(digest: Digest) -> list[np.ndarray]:
    """The rows of each call of a model in evaluation."""
    table = digest.table
    if not digest.steps:
        return []
    thread = digest.steps[0].thread
    start_ns, end_ns = evaluation_calls(table, digest.kinds, thread, [step.end_ns for step in digest.steps])
    mine = np.flatnonzero((table["thread"] == thread) & digest.kinds.is_op)
    mine = mine[np.argsort(table["start_ns"][mine], kind="stable")]
    edges = zip(*(np.searchsorted(table["start_ns"][mine], side).tolist() for side in (start_ns, end_ns)))
    return [mine[first:stop] for first, stop in edges if first < stop]


def _records_graph(digest: Digest, rows: np.ndarray) -> bool:
    """Autograd numbers ops by the nodes that it has made: where none are made, all have the same number."""
    numbers = digest.table["sequence"][rows]
    return len(np.unique(numbers[numbers >= 0])) > 1


def _is_in_training_mode(digest: Digest, rows: np.ndarray) -> bool:
    table, kinds = digest.table, digest.kinds
    drops = np.isin(table["parent"][rows], rows[kinds.called(DROPS)[rows]]).any()  # dropout does something
    outermost = rows[kinds.is_outermost[rows]]
    counts, normalises = kinds.called(COUNTS_BATCHES)[outermost], kinds.called(NORMALISES)[outermost]
    return bool(drops or (counts[:-1] & normalises[1:]).any())


def _lasted_ns(digest: Digest, calls: list[np.ndarray]) -> int:
    table = digest.table
    return int(sum(table["end_ns"][rows].max() - table["start_ns"][rows[0]] for rows in calls))
