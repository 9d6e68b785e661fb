"""Forward-mode derivatives: a call on tensors with tangents computes the tangents of its results too."""

from __future__ import annotations

from ..autograd.op_node import OpNode
from ..autograd.tangents import levels_of, set_tangent, tangent_of, write_tangent
from ..core import forward_levels
from ..core.dtype import FLOATING
from ..core.fields import node_of
from ..core.slots import Work
from ..core.tensor import Tensor
from ..opdef import table
from ..opdef.derivative import FACT
from ..opdef.operator import Operator
from . import dispatcher, tangent_rules
from .inplace_and_views import UNKNOWN


def has_tangents(op: Operator, args) -> bool:
    """Whether any tensor among the arguments has a tangent."""
    return forward_levels.depth() > 0 and any(levels_of(tensor) for tensor in tensors_of(op, args))


def tensors_of(op: Operator, args) -> list[Tensor]:
    """All tensors among the arguments."""
    tensors = [args[i] for i in op.tensors if args[i] is not None]
    for i in op.lists:
        tensors += [value for value in args[i] or () if value is not None]
    return tensors


def differentiated(op: Operator, args):
    """The op, and the tangents of what it made, the lowest level first: each sees those below it."""
    refuse(op)
    if op.backward is None or op.is_out:
        return without_tangents(op, args)
    levels = sorted({level for tensor in tensors_of(op, args) for level in levels_of(tensor)})
    given = [tangents_at(op, args, level) for level in levels]
    before = before_writing(op, args) if op.mutates >= 0 else args
    result = dispatcher.differentiated(op, args)
    for level, tangents in zip(levels, given):
        if not tangents:
            continue  # of an argument by which there is no derivative
        with forward_levels.below(level):
            derived = tangent_rules.tangents_of(op, before, result, tangents, level)
            derived = apart(op, derived, tangents)
        give(op, args, result, derived, level)
    keep_tangents(op, before, result)
    return result


def refuse(op: Operator) -> None:
    """torch's complaint about ops that tangents do not go through."""
    if op.is_out and any(has_derivative(other) for other in table.OPS[op.name]):
        raise NotImplementedError(f"Trying to use forward AD with {op.name}_out that does not support it because it is "
                                  "an out= function")
    if op.backward is not None and op.backward.node == UNKNOWN:
        raise NotImplementedError(f"Trying to use forward AD with {op.event} that does not support it.")


def has_derivative(op: Operator) -> bool:
    """Whether tangents go through an op that makes its result."""
    return op.composite or not op.is_out and op.backward is not None and op.backward.node != UNKNOWN


def without_tangents(op: Operator, args):
    """An op whose results have no tangents; a view says so, or it would be asked what its base has."""
    result = dispatcher.differentiated(op, args)
    if op.aliases >= 0 and isinstance(result, Tensor) and result is not args[op.aliases]:
        for level in range(forward_levels.depth()):
            forward_levels.hold(result, level, None)
    return result


def tangents_at(op: Operator, args, level: int) -> dict:
    """The tangents at a level by the number of their parameter; those of a list in a list."""
    tangents = {}
    for i in op.backward.params:
        value = args[i]
        if isinstance(value, Tensor):
            tangent = tangent_of(value, level)
            if tangent is not None:
                tangents[i] = tangent
        elif isinstance(value, (list, tuple)):
            several = [None if item is None else tangent_of(item, level) for item in value]
            if any(tangent is not None for tangent in several):
                tangents[i] = several
    return tangents


def before_writing(op: Operator, args):
    """The arguments as they are before the call writes into one of them, where a formula asks for its value."""
    sources = {source for formula in op.backward.formulas for source in formula.sources}
    kept, written = list(args), args[op.mutates]
    for i in op.tensors:  # x.mul_(x) writes both its operands
        if i in sources and args[i] is not None and args[i]._mt_storage is written._mt_storage:
            kept[i] = Work.clone(args[i])
    if op.mutates not in sources and any(source % FACT == op.mutates for source in sources if source >= FACT):
        kept[op.mutates] = Work.kept(written)
    return tuple(kept)


def apart(op: Operator, derived, tangents: dict):
    """A tangent that is the very one of an argument is copied: what is written into one is not written into both."""
    if op.aliases >= 0 or op.mutates >= 0 or not isinstance(derived, Tensor):
        return derived
    given = [t for value in tangents.values() for t in (value if isinstance(value, list) else [value]) if t is not None]
    return Work.clone(derived) if any(t._mt_storage is derived._mt_storage for t in given) else derived


def give(op: Operator, args, result, tangents, level: int) -> None:
    """Give each result its tangent."""
    results, tangents = (result, tangents) if isinstance(result, (list, tuple)) else ((result,), (tangents,))
    for number, (tensor, tangent) in enumerate(zip(results, tangents)):
        if tangent is None or tensor is None or tensor.dtype.category < FLOATING or number in op.no_grad_for:
            continue
        if op.mutates >= 0 and not op.inplace_view:
            write_tangent(tensor, level, tangent)
        elif op.inplace_view or not any(tensor is value for value in args):
            set_tangent(tensor, level, tangent)


def keep_tangents(op: Operator, before, result) -> None:
    """What backward has saved in place of results and overwritten values has their tangents too."""
    first = result[0] if isinstance(result, (list, tuple)) and result else result
    node = None
    if isinstance(first, Tensor):
        node = node_of(first if op.mutates < 0 or first._mt_base is None else first._mt_base)
        node = getattr(node, "through", node)  # of a write into a view
    if not isinstance(node, OpNode) or node.derivative is not op.backward:
        return
    for at, (kept, _) in (node.results or {}).items():
        if isinstance(kept, Tensor):
            kept._mt_tangents = (result if isinstance(result, Tensor) else result[at])._mt_tangents
    if op.mutates >= 0 and node.args is not None and isinstance(node.args[op.mutates], Tensor):
        node.args[op.mutates]._mt_tangents = before[op.mutates]._mt_tangents
