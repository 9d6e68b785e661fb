"""Habits in the training loop: values read, waiting for data, tiny ops, Python between ops, small batches."""

from __future__ import annotations

import numpy as np

from .. import intervals
from ..digest import Digest
from ..inputs import is_tensor
from ..steps import step_of
from .finding import Finding, counted, evidence_of, lasted_ns, per_step, share_text, texts, time_text

FROM_WORKERS = "enumerate(DataLoader)#_MultiProcessing"
WORKERS = ("Prepare batches before they are needed: decode and transform once and keep the result, load in worker "
           "processes (DataLoader(num_workers=…)), or make batches of whole tensors instead of items.")
MORE_WORKERS = ("The workers do not keep up: use more of them (num_workers), let each prepare more batches ahead "
                "(prefetch_factor), or make what they do for an item cheaper.")
READS = {"aten::item": ".item()", "aten::resolve_neg": ".tolist() or .numpy()"}
WAITS_FOR_DATA = 0.1  # of the steps
BETWEEN_OPS = 0.5
LONGEST_BODY, LEAST_TURNS, TINY_NS = 8, 10, 50_000  # of a loop: ops in its body, turns, time of an op
SMALL_BATCH, SHORT_PRODUCT_NS, MANY_PRODUCTS = 8, 30_000, 10
LOOP_WORTH_A_WORD = 0.01  # of the time of all steps; its backward costs as much again
LIBRARY = ("nn/utils/", "nn/init", "optim/", "amp/", "utils/")  # folders whose functions have loops of their own
CELLS = {"aten::lstm_cell": "nn.LSTM", "aten::gru_cell": "nn.GRU", "aten::rnn_tanh_cell": "nn.RNN",
         "aten::rnn_relu_cell": "nn.RNN"}
PRODUCTS = ("aten::linear", "aten::addmm", "aten::mm", "aten::conv2d", "aten::conv1d")


def values_read(digest: Digest):
    """Values read in every step: Python waits for them, and on a device everything before them must end."""
    kinds, n_steps = digest.kinds, len(digest.steps)
    for name, call in READS.items():
        rows = np.flatnonzero(kinds.is_outermost & kinds.called(name))
        if len(rows) < 2 or len(rows) < n_steps:
            continue
        places, events = evidence_of(digest, rows)
        time_ns = lasted_ns(digest.table, rows)
        yield Finding("values read in the loop", f"{call} is called in every step",
                      texts(f"{per_step(len(rows), digest)}, {time_text(time_ns)} in all", places),
                      "Keep values as tensors and read them every hundred steps, or once at the end: Python waits for "
                      "each one, and with a device in use everything launched before must first be done. float(), "
                      "int(), bool(), if, print and formatting read values, too.",
                      time_ns, events)


def data_on_the_critical_path(digest: Digest):
    """Steps that wait for data."""
    waited_ns = sum(step.data for step in digest.steps)
    if not digest.wall_ns or waited_ns < WAITS_FOR_DATA * digest.wall_ns:
        return
    rows = np.flatnonzero(digest.kinds.is_loading)
    waits = sorted(step.data for step in digest.steps)
    places, events = evidence_of(digest, rows)
    yield Finding("data loading on the critical path", "Steps wait for data",
                  texts(f"{time_text(waited_ns)} in {len(digest.steps)} steps: {share_text(waited_ns, digest.wall_ns)}",
                        f"longest wait in a step {time_text(waits[-1])}, median "
                        f"{time_text(waits[(len(waits) - 1) // 2])}", places),
                  MORE_WORKERS if digest.kinds.named(FROM_WORKERS)[rows].any() else WORKERS, waited_ns, events)


def tiny_ops_in_loops(digest: Digest):
    """The same few small ops again and again: a Python loop over rows or items."""
    for rows, turns, time_ns in _loops(digest):
        if time_ns < LOOP_WORTH_A_WORD * digest.wall_ns:
            continue
        places, events = evidence_of(digest, rows)
        names = list(dict.fromkeys(digest.table.names[name][0] for name in digest.table["name"][rows]))
        whole = next((CELLS[name] for name in names if name in CELLS), None)
        each = time_text(lasted_ns(digest.table, rows) / len(rows))
        yield Finding("tiny ops in a Python loop", f"A Python loop calls {', '.join(names)} {turns:,} times",
                      texts(f"{len(rows):,} ops of {each} each, {time_text(time_ns)} with the Python between them "
                            f"({share_text(time_ns, digest.wall_ns)})", places),
                      f"Give the whole sequence to {whole}, which goes through it in one op." if whole else
                      "Do it with one op on a whole tensor: index with a tensor of indices, stack once, or broadcast.",
                      time_ns, events)


def _loops(digest: Digest) -> list[tuple[np.ndarray, int, int]]:
    """Rows, turns and nanoseconds of loops, all loops of the same ops together, the longest first."""
    table, kinds = digest.table, digest.kinds
    aside = kinds.is_backward | kinds.is_optimizer | kinds.is_zero_grad | kinds.is_loading | _of_library(digest)
    in_step = step_of(digest.steps, table["start_ns"])
    together: dict[tuple, list[tuple[np.ndarray, int, int]]] = {}
    for thread in np.unique(table["thread"]).tolist():
        rows = np.flatnonzero(kinds.is_outermost & ~aside & (table["thread"] == thread))
        name, call, taken = table["name"][rows], _calls(digest, rows), np.zeros(len(rows), bool)
        lasted_ns = table["end_ns"][rows] - table["start_ns"][rows]
        for body in range(1, LONGEST_BODY + 1):
            for first, stop in _repeated(call, in_step[rows], body):
                if taken[first:stop].any() or not _is_tiny(lasted_ns[first:stop].reshape(-1, body)):
                    continue
                taken[first:stop] = True
                key = tuple(np.unique(name[first:first + body]).tolist())
                together.setdefault(key, []).append(
                    (rows[first:stop], (stop - first) // body,
                     int(table["end_ns"][rows[stop - 1]] - table["start_ns"][rows[first]])))
    loops = [(np.concatenate(rows), sum(turns), sum(lasted)) for rows, turns, lasted in
             (zip(*parts) for parts in together.values())]
    return sorted(loops, key=lambda loop: (-loop[2], int(loop[0][0])))


def _is_tiny(lasted_ns: np.ndarray) -> bool:
    """Whether at least half of a typical turn is spent in tiny ops; a row for each turn, a column for each op."""
    typical_ns = np.median(lasted_ns, axis=0)
    return bool(2 * typical_ns[typical_ns < TINY_NS].sum() >= typical_ns.sum())


def _calls(digest: Digest, rows: np.ndarray) -> np.ndarray:
    """A number for each op by name, stack and module: layers that a model goes through one by one are no loop. Where
    neither stacks nor modules tell, no two products are the same."""
    table = digest.table
    stack, module = digest.visible.cells.stack[rows], digest.modules.of_moments(table["thread"][rows],
                                                                                table["start_ns"][rows])
    if not stack.any() and not table.module_ranges.n_rows:
        module = np.where(digest.kinds.called(*PRODUCTS)[rows], rows, -1)
    return np.unique(np.stack([table["name"][rows], stack, module]), axis=1, return_inverse=True)[1].ravel()


def _of_library(digest: Digest) -> np.ndarray:
    """Ops in loops that are not the user's: of our own functions, where stacks tell, and casts that do nothing, which
    clipping gradients makes one of for each parameter."""
    table, stack = digest.table, digest.visible.cells.stack
    idle = digest.kinds.called("aten::to")
    idle[table["parent"][table["parent"] >= 0]] = False
    ours = np.array([digest.is_called_by(number, LIBRARY) for number in range(int(stack.max(initial=0)) + 1)])
    return idle | ours[stack]


def _repeated(call: np.ndarray, step: np.ndarray, body: int) -> list[tuple[int, int]]:
    """Stretches of one step in which ``body`` ops come again, at least LEAST_TURNS times: what comes
    again in the next step is the training loop itself."""
    again = (call[body:] == call[:-body]) & (step[body:] == step[:-body])
    same = np.append(np.append(False, again), False)
    edges = np.flatnonzero(np.diff(same.astype(np.int8)))
    stretches = zip(edges[::2].tolist(), (edges[1::2] + body).tolist())
    return [(first, first + (stop - first) // body * body) for first, stop in stretches
            if (stop - first) // body >= LEAST_TURNS]


def python_between_ops(digest: Digest):
    """Steps in which for most of the time no op runs."""
    table, kinds = digest.table, digest.kinds
    told = kinds.is_outermost & ~kinds.is_optimizer & ~kinds.is_zero_grad
    running = {thread: intervals.union(table["start_ns"][mine], table["end_ns"][mine])
               for thread in {step.thread for step in digest.steps}
               for mine in [np.flatnonzero(told & (table["thread"] == thread))]}
    idle_ns = sum(step.wall - intervals.covered_ns(*_within(*running[step.thread], step.start_ns, step.end_ns),
                                                   step.start_ns, step.end_ns) for step in digest.steps)
    if not digest.wall_ns or idle_ns < BETWEEN_OPS * digest.wall_ns or not kinds.is_backward.any():
        return
    yield Finding("Python between ops", "Most of the time no op runs",
                  [f"{time_text(idle_ns)} of {time_text(digest.wall_ns)} lies between ops: "
                   f"{share_text(idle_ns, digest.wall_ns)}",
                   "the profile's own cost is a part of it, more with stacks" if table.window.with_stack else
                   "profile(with_stack=True) shows which functions take it"],
                  "Do more with each op: larger batches, ops on whole tensors, less work in Python inside the step.",
                  idle_ns, [])


def _within(starts: np.ndarray, ends: np.ndarray, from_ns: int, to_ns: int) -> tuple[np.ndarray, np.ndarray]:
    """Of stretches that do not overlap, those that reach into a window."""
    here = slice(np.searchsorted(ends, from_ns), np.searchsorted(starts, to_ns))
    return starts[here], ends[here]


def small_batches(digest: Digest):
    """Products of so few rows that calling them costs more than computing them."""
    table, kinds = digest.table, digest.kinds
    rows = np.flatnonzero(kinds.is_outermost & ~kinds.is_backward & kinds.called(*PRODUCTS) & (table["inputs"] >= 0))
    if len(rows) < MANY_PRODUCTS:
        return
    batches = np.array([_batch(table.inputs[number]) for number in table["inputs"][rows].tolist()])
    lasted = table["end_ns"][rows] - table["start_ns"][rows]
    if np.median(batches) > SMALL_BATCH or np.median(lasted) > SHORT_PRODUCT_NS:
        return
    places, events = evidence_of(digest, rows)
    yield Finding("small batch", f"Products of {counted(int(np.median(batches)), 'row')} at a time",
                  texts(f"{len(rows):,} products, the median takes {time_text(float(np.median(lasted)))}", places),
                  "Use a larger batch: calling such an op costs as much as computing it.",
                  int(lasted.sum()), events)


def _batch(described: tuple) -> int:
    """The rows of a call's first tensor with dimensions: all but its last one; of pictures, how many there are."""
    shape = next((value[0] for value in described if is_tensor(value) and value[0]), (0,))
    return int(np.prod(shape[:-1])) if len(shape) < 4 else int(shape[0])
