"""Habits in how models and optimizers are used."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ...table.event_table import EventTable
from .. import tree
from ..digest import Digest
from ..inputs import is_tensor, is_tensor_list
from ..peak import Holder
from ..row_kinds import EVALUATE
from ..steps import step_of
from .finding import (
    MIB,
    WORTH_A_WORD,
    WRITTEN_BY_US,
    Finding,
    bytes_text,
    counted,
    evidence_of,
    lasted_ns,
    per_step,
    share_text,
    texts,
    time_text,
)

WITH_LISTS = ("adam", "adamw", "sgd", "rmsprop", "adagrad", "adadelta", "nadam", "radam", "adamax")
MUCH = 0.1
ZERO_GRAD_CALL = ": zero_grad"
FILLS = ("aten::zero_", "aten::_foreach_zero_")
COUNTS_BATCHES = "aten::add_"  # what a normalisation does before it begins
COPIERS = ("aten::contiguous", "aten::reshape", "aten::flatten")
IN_WORDS = {"parameter": "parameters", "input": "inputs", "temporary": "temporaries", "activation": "activations",
            "gradient": "gradients", "autograd detail": "autograd's own", "unknown": "of unknown use"}
LEAST_PEAK_BYTES, LEAST_SHARE = 128 * MIB, 0.25  # of a peak that somebody may want to lower, and of who holds it
ACCUMULATES = EVALUATE + "torch::autograd::AccumulateGrad"
GROWING_STEPS, GROWTH = 4, 0.01  # steps in which memory grows, and by how much of its peak in all


def gradients_filled_with_zeros(digest: Digest):
    """Gradients that are kept and filled instead of dropped."""
    kinds, table = digest.kinds, digest.table
    clears = kinds.is_zero_grad | kinds.is_python & kinds.ends_in(ZERO_GRAD_CALL)  # the optimizer's, or a module's
    inside = _range_around(table, clears)
    filled = np.flatnonzero(kinds.called(*FILLS) & (inside >= 0))
    if not len(filled):
        return
    ranges = np.unique(inside[filled])
    places, events = evidence_of(digest, ranges)
    time_ns = lasted_ns(table, ranges)
    yield Finding("gradients zeroed", "Gradients are filled with zeros instead of dropped",
                  texts(f"{counted(len(filled), 'fill')} in {counted(len(ranges), 'call')} of zero_grad, "
                        f"{time_text(time_ns)} in all", places),
                  "Call zero_grad() without set_to_none=False: gradients are then dropped, and the next backward "
                  "writes them instead of adding to zeros.", time_ns, events)


def gradients_never_cleared(digest: Digest):
    """Gradients that every step adds to those of all steps before."""
    kinds, table = digest.kinds, digest.table
    taken_in = np.flatnonzero(kinds.called(ACCUMULATES))
    first = taken_in[np.unique(step_of(digest.steps, table["start_ns"][taken_in]), return_index=True)[1]][1:]
    added = _range_around(table, kinds.called(ACCUMULATES))[np.flatnonzero(kinds.called("aten::add_"))]
    is_cleared = kinds.is_zero_grad.any() or (kinds.called(*FILLS) & kinds.is_outermost).any()
    if is_cleared or not len(first) or not np.isin(first, added).all():
        return
    places, events = evidence_of(digest, np.flatnonzero(kinds.is_optimizer))
    yield Finding("gradients never cleared", "Gradients of all steps are added up and never cleared",
                  texts(f"{counted(len(first), 'step')} after the first: each adds to the gradients before it", places),
                  "Call optimizer.zero_grad() in every step, before backward() or after step().", 0, events)


def optimizer_in_a_loop(digest: Digest):
    """An optimizer that goes parameter by parameter, or by lists where one op could do it all."""
    kinds, table = digest.kinds, digest.table
    ranges = np.flatnonzero(kinds.is_optimizer)
    above = _range_around(table, kinds.is_optimizer)
    names = np.array([table.names[name][0] for name in table["name"][ranges].tolist()])
    for name in np.unique(names).tolist():
        mine = ranges[names == name]
        kind = name.partition("#")[2].removesuffix(".step")
        inside = np.flatnonzero(np.isin(above, mine) & kinds.is_op)
        ops = {table.names[number][0] for number in np.unique(table["name"][inside]).tolist()}
        time_ns = lasted_ns(table, mine)
        if not ops or kind.lower() not in WITH_LISTS or any(op.startswith("aten::_fused") for op in ops):
            continue
        by_lists = any(op.startswith("aten::_foreach") for op in ops)
        if time_ns < (MUCH if by_lists else WORTH_A_WORD) * digest.wall_ns:
            continue
        places, events = evidence_of(digest, mine)
        evidence = texts(f"{counted(len(inside) // len(mine), 'op')} in each of {counted(len(mine), 'step')}, "
                         f"{time_text(time_ns)} in all ({share_text(time_ns, digest.wall_ns)})", places)
        if by_lists:
            yield Finding("optimizer without fused", f"{kind} takes its step in several ops over lists", evidence,
                          f"Pass fused=True to {kind}: one op then reads and writes each parameter once.", time_ns,
                          events)
        else:
            yield Finding("optimizer in a loop", f"{kind} goes parameter by parameter", evidence,
                          f"Pass fused=True (or foreach=True) to {kind}: the whole step then takes one op, or a few.",
                          time_ns, events)


def copies_of_non_contiguous(digest: Digest):
    """Copies that are made because a view is not laid out in a row."""
    kinds, table = digest.kinds, digest.table
    asked_for = kinds.called(*COPIERS) & kinds.is_outermost & ~kinds.is_backward  # by the program, not by another op
    clones = np.flatnonzero(kinds.called("aten::clone"))
    rows = clones[_range_around(table, asked_for)[clones] >= 0]
    rows = rows[~digest.is_in_module(WRITTEN_BY_US, rows)]
    time_ns = lasted_ns(table, rows)
    if not len(rows) or time_ns < WORTH_A_WORD * digest.wall_ns:
        return
    copied = int(digest.visible.cells.total_bytes[rows].sum())
    places, events = evidence_of(digest, rows)
    yield Finding("copies from non-contiguous", "Views are copied into contiguous memory",
                  texts(f"{per_step(len(rows), digest)}, {time_text(time_ns)} in all "
                        f"({share_text(time_ns, digest.wall_ns)})",
                        f"{bytes_text(copied)} copied" if copied > 0 else "", places),
                  "Lay tensors out as they are used: permute once where they are made, avoid transpose(…).contiguous() "
                  "and reshape() of transposed views in the loop.", time_ns, events)


def _range_around(table: EventTable, is_range: np.ndarray) -> np.ndarray:
    """For every row the range it is in, or -1. A step may begin inside an optimizer's range, where hooks call step():
    what follows in that step is not the optimizer's."""
    return tree.open_parents(table["parent"], is_range, table["start_ns"], table["end_ns"])


def doubles_among_floats(digest: Digest):
    """Numbers of twice the size in a program that otherwise computes in float32."""
    table, kinds = digest.table, digest.kinds
    has_double, has_float = (np.array([any(_holds(value, dtype) for value in described) for described in
                                       map(table.inputs.__getitem__, range(len(table.inputs)))] + [False], bool)
                             for dtype in ("float64", "float32"))
    rows = np.flatnonzero(kinds.is_outermost & kinds.is_op & has_double[table["inputs"]])
    n_floats = int((kinds.is_outermost & has_float[table["inputs"]] & ~has_double[table["inputs"]]).sum())
    if not len(rows) or len(rows) >= n_floats:
        return
    time_ns = lasted_ns(table, rows)
    places, events = evidence_of(digest, rows)
    first = table.names[table["name"][rows[0]]][0]
    yield Finding("float64 by accident", "Some ops compute in float64",
                  texts(f"{len(rows):,} ops beside {n_floats:,} in float32, {time_text(time_ns)} in all; the first is "
                        f"{first}", places),
                  "Convert where the data comes in (tensor.float(), dtype=torch.float32): NumPy arrays and Python's "
                  "own arithmetic are float64, and every op with one of them takes twice the memory.", time_ns, events)


def _holds(value, dtype: str) -> bool:
    """Whether an input is, or holds, a tensor of that type with more than one element."""
    if is_tensor_list(value):
        return any(_holds(part, dtype) for part in value[1:])
    return is_tensor(value) and value[1] == dtype and int(np.prod(value[0] or (1,))) > 1


def bias_before_batch_norm(digest: Digest):
    """A convolution's bias that the normalisation after it takes away again."""
    table, kinds = digest.table, digest.kinds
    rows = np.flatnonzero(kinds.is_outermost & kinds.is_op & ~kinds.is_backward)
    convolves, normalises = kinds.called("aten::conv2d"), kinds.called("aten::batch_norm")
    rows = rows[~kinds.called(COUNTS_BATCHES)[rows]]
    pairs = rows[:-1][convolves[rows[:-1]] & normalises[rows[1:]]]
    biased = [row for row in pairs.tolist() if table["inputs"][row] >= 0 and len(table.inputs[table["inputs"][row]]) > 2
              and is_tensor(table.inputs[table["inputs"][row]][2])]
    if not biased:
        return
    places, events = evidence_of(digest, np.array(biased))
    yield Finding("bias before BatchNorm", "Convolutions have a bias that BatchNorm takes away again",
                  texts(per_step(len(biased), digest), places),
                  "Make them with bias=False: the normalisation subtracts the mean, and with it the bias.", 0, events)


def memory_that_grows(digest: Digest):
    """More memory alive after every step than after the one before."""
    memory = digest.table.memory
    if len(digest.steps) < GROWING_STEPS or not memory.n_rows:
        return
    at = np.searchsorted(memory["time_ns"], [step.end_ns for step in digest.steps], side="right") - 1
    alive = memory["total"][np.maximum(at, 0)]
    grown = int(alive[-1] - alive[0])
    if (np.diff(alive) <= 0).any() or grown < GROWTH * int(memory["total"].max()):
        return
    yield Finding("memory grows", "More memory is alive after every step",
                  [f"{bytes_text(alive[0])} after the first step, {bytes_text(alive[-1])} after the last: "
                   f"{bytes_text(grown / (len(alive) - 1))} more per step"],
                  "Something keeps tensors of every step: a list of losses that have a graph (append loss.detach() or "
                  "loss.item()), hidden state that is not detached, or hooks.", 0, [])


def peak_of_memory(digest: Digest):
    """Who holds most of the memory at its fullest moment."""
    peak, held = digest.peak, digest.peak_holders
    if peak is None or not held or peak.total_bytes < LEAST_PEAK_BYTES:
        return
    by_owner: Counter[str] = Counter()
    for holder in held:
        by_owner[_owner(holder)] += holder.total_bytes
    owner, most = min(by_owner.items(), key=lambda pair: (-pair[1], pair[0]))
    step = next((step.name for step in digest.steps if step.start_ns <= peak.time_ns < step.end_ns), "")
    if most < LEAST_SHARE * peak.total_bytes:
        return
    largest, share = held[0], f"{100 * most / peak.total_bytes:.0f} %"
    yield Finding("memory peak", f"{share} of the peak of {bytes_text(peak.total_bytes)} is {owner}",
                  texts(f"{bytes_text(most)} is {owner}; {bytes_text(peak.before_bytes)} was there before the profile",
                        f"it is reached in step {step}" if len(digest.steps) > 1 and step else "",
                        f"largest: {bytes_text(largest.total_bytes)} by {largest.op or 'no op'}"
                        f"{f' in module {largest.module}' if largest.module else ''}"),
                  "To lower it: a smaller batch with gradients accumulated over several, torch.utils.checkpoint around "
                  "the modules that hold most, or tensors dropped (del) before the peak.", 0, [])


def _owner(holder: Holder) -> str:
    """Whose memory it is: what it is for, else who allocated it."""
    if holder.category:
        return IN_WORDS.get(holder.category, holder.category)
    return f"allocated in module {holder.module}" if holder.module else f"allocated by {holder.op or 'no op'}"
