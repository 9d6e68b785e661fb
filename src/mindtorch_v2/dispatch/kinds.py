"""Calls on tensors of a kind (core/kinds.py) are handed to that kind, below autograd, compositions included."""

from __future__ import annotations

from ..core.kinds import Kind
from ..core.overrides import NO
from ..opdef.operator import Operator
from . import batch_levels


def ask(op: Operator, args):
    """What the kind of highest rank among the arguments makes of a call; NO where all tensors are plain."""
    if batch_levels.draws(op):
        return batch_levels.drawn(op, args)
    kind = kind_of_call(op, args)
    if kind is None:
        return NO
    compute = type(kind).compute
    del kind  # what it holds may go while the op runs
    return compute(op, args)


def wants_grad(op: Operator, args) -> bool:
    """Whether autograd is to watch this call of tensors that want gradients.

    Where some are batched (dispatch/batched.py), it watches the call on the wholes; this one only if one of the
    innermost level wants a gradient itself.
    """
    level, wanted = 0, False
    for i in op.tensors:
        if args[i] is not None:
            level, wanted = _innermost(args[i], level, wanted)
    for i in op.lists:
        for value in args[i] or ():
            if value is not None:
                level, wanted = _innermost(value, level, wanted)
    return wanted


def _innermost(tensor, level: int, wanted: bool) -> tuple[int, bool]:
    """The highest level after one more tensor, and whether one of that level wants a gradient."""
    here = getattr(tensor._mt_kind, "level", 0)
    if here > level:
        return here, tensor._mt_requires
    return level, wanted or (here == level and tensor._mt_requires)


def kind_of_call(op: Operator, args) -> Kind | None:
    """The kind of highest rank among the tensors of a call, None where all are plain."""
    highest = None
    for i in op.tensors:
        value = args[i]
        if value is not None and value._mt_kind is not None:
            highest = higher(highest, value._mt_kind)
    for i in op.lists:
        for value in args[i] or ():
            if value is not None and value._mt_kind is not None:
                highest = higher(highest, value._mt_kind)
    return highest


def higher(kind: Kind | None, other: Kind) -> Kind:
    """Of two kinds the one that is asked."""
    return other if kind is None or other.rank > kind.rank else kind
