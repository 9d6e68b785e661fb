"""Every op that computes has a rule that alone says what comes out: shape and type of each result."""

from __future__ import annotations

import mindtorch_v2 as torch
from mindtorch_v2.devices.meta import META
from mindtorch_v2.dispatch import on_device
from mindtorch_v2.opdef import operator, rules
from mindtorch_v2.opdef.schema import TENSOR
from mindtorch_v2.opdef.table import OPS

from . import observe
from .test_every_op import TABLES, full_name

NOTHING = object()  # what a body returned that raised
# Ops without such a rule, and why.
_BY_VALUES = "how much comes out depends on values"
_LENGTHS = "how many sequences go on at each step is a value"
SIGNED = {
    "_unique": _BY_VALUES, "_unique2": _BY_VALUES, "unique_consecutive": _BY_VALUES, "nonzero": _BY_VALUES,
    "nonzero.out": _BY_VALUES, "unique_dim": _BY_VALUES, "unique_dim_consecutive": _BY_VALUES,
    "index.Tensor": "with a mask, " + _BY_VALUES,
    "_ctc_loss.Tensor": "how long the longest label is, is a value",
    "lstm.data": _LENGTHS, "gru.data": _LENGTHS, "rnn_tanh.data": _LENGTHS, "rnn_relu.data": _LENGTHS,
    "_to_sparse_bsr": _BY_VALUES, "_to_sparse_bsc": _BY_VALUES,
    "equal": "its answer is a truth value of Python's",
}


class Watched:
    """Bodies at work on the meta device: which of them call kernels, what was promised of them, what they returned."""

    def __init__(self, monkeypatch):
        self.at_work: list[list] = []  # the op and whether it computed
        self.calls: list[tuple] = []
        for op in [op for ops in OPS.values() for op in ops if op.how in (operator.BODY, operator.INTO)]:
            monkeypatch.setattr(op, "work", self.body(op, op.work))
        monkeypatch.setattr(on_device, "compute", self.kernel_op(on_device.compute))
        for asked in ("run", "ask"):
            monkeypatch.setattr(META, asked, self.kernel(getattr(META, asked)))

    def body(self, op, work):
        def watched(*args):
            rule = observe.attempt(promised, op, args) if op.how == operator.BODY else None
            self.at_work.append([op, False])
            result = NOTHING
            try:
                result = work(*args)
            finally:
                _, computed = self.at_work.pop()
                if computed and op.how == operator.BODY:
                    self.calls.append((op, rule, returned(result)))  # now: it may be given another shape later
            return result
        return watched

    def kernel_op(self, compute):
        def watched(op, args):
            self.at_work.append([op, False])
            try:
                return compute(op, args)
            finally:
                self.at_work.pop()
        return watched

    def kernel(self, run):
        def watched(name, args, *rest, **kwargs):
            if self.at_work and name not in ("copy", "item"):
                self.at_work[-1][1] = True
            return run(name, args, *rest, **kwargs)
        return watched


def promised(op, args) -> list | None:
    """What the rule of an op says, as shapes and types; None if it says nothing. In place, it is what was given."""
    if not op.schema.results:
        return []
    if op.mutates >= 0 and not op.is_out:
        return [(tuple(args[op.mutates].shape), args[op.mutates].dtype)] if op.kinds[op.mutates] == TENSOR else []
    meta = op.form.get("meta")
    if meta is None:
        return None
    try:
        specs = meta(*args)
    except TypeError:  # the rule of an op knows nothing of its out= form
        specs = meta(*args[:len(args) - len(op.outs)])
    if isinstance(specs, rules.Spec):
        specs = (specs,)
    types = [args[i].dtype for i in op.outs] or [None if s is None else s.dtype for s in specs or ()]
    return None if specs is None else [None if s is None else (tuple(s.shape), t) for s, t in zip(specs, types)]


def returned(result) -> list | None:
    if result is NOTHING:
        return None
    results = result if isinstance(result, (tuple, list)) else () if result is None else (result,)
    return [None if t is None else (tuple(t.shape), t.dtype) for t in results]


def differences(monkeypatch, rows) -> dict[str, str]:
    """By the name of an op, what is wrong with its rule."""
    watched, wrong = Watched(monkeypatch), {}
    for sample in rows:
        observe.attempt(observe.on_meta, torch, sample)
    monkeypatch.undo()
    for op, rule, made in watched.calls:
        if rule is None:
            wrong[full_name(op)] = "no rule"
        elif made is not None and rule != made:
            wrong[full_name(op)] = f"promised {rule}, made {made}"
    return wrong


def test_every_op_that_computes_has_a_rule_and_keeps_to_it(monkeypatch):
    rows = [row for _, samples in TABLES.values() for row in samples]
    wrong = differences(monkeypatch, rows)
    assert wrong == {name: "no rule" for name in SIGNED}
