"""What may be written to: torch refuses memory that an op would write twice, or write while it reads."""

from __future__ import annotations

from ..core import memory_overlap
from ..core.tensor import Tensor
from ..core.user_warning import warn_user
from ..opdef.operator import Operator

TWICE = ("unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
         "Please clone() the tensor before performing the operation.")
WHILE_READ = ("unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
              "memory location. Please clone() the tensor before performing the operation.")
DEPRECATED = ("Use of {} on expanded tensors is deprecated. Please clone() the tensor before performing this "
              "operation. This also applies to advanced indexing e.g. {}")


def check(op: Operator, args):
    """Refuse a tensor whose elements share memory with each other or with those of an input, as the op's form says."""
    into: Tensor = args[op.mutates]
    if not op.writes_expanded and memory_overlap.is_expanded(into):
        refuse_expanded(op)
    if op.shares_inputs:
        return
    for k in range(1 if op.shares_first else 0, op.n_tensors):
        at = op.tensor0 if k == 0 else op.tensor1 if k == 1 else op.operands[k]
        if at != op.mutates and args[at] is not None:
            check_input(op, into, args[at])
    if op.lists:
        for value in _listed(op, args):
            check_input(op, into, value)


def _listed(op: Operator, args):
    return [value for i in op.lists for value in args[i] or () if value is not None]


def check_input(op: Operator, into, value):
    """Refuse an input that overlaps what is written, in part or, where the order of writes would show, at all."""
    if value._mt_storage is into._mt_storage and (value is not into or op.spares_inputs):
        refuse(into, value, op.spares_inputs)


def refuse(into, value, wholly):
    """torch's complaint about two tensors that share some elements, or, if ``wholly`` is asked for, all of them."""
    overlap = memory_overlap.status(into, value)
    if overlap == memory_overlap.PARTIAL or (wholly and overlap == memory_overlap.FULL):
        raise RuntimeError(WHILE_READ)


def refuse_expanded(op: Operator):
    if not op.warns_expanded:
        raise RuntimeError(TWICE)
    indexed = "tensor[indices] = tensor" if "put" in op.name else "tensor[mask] = scalar"
    warn_user(DEPRECATED.format(op.name, indexed))
