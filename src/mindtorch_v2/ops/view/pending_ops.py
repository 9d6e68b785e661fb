"""What ops do with tensors whose elements are to be conjugated or negated (core/pending.py).

Views hand it on. Copies carry it out. Products of matrices leave the conjugation to their kernel. Every other op gets
copies, and what it writes is copied back.
"""

from __future__ import annotations

from ...core.overrides import NO
from ...core.pending import Pending, is_conj, is_neg, memory_of
from ...core.tensor import Tensor
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.operator import VIEW, Operator

# Ops that read nothing but shape and type, or that look at what is pending themselves.
LOOKED_THROUGH = frozenset("""
    empty_like new_empty new_empty_strided full_like resize_ _conj _neg_view conj resolve_conj resolve_neg real imag
    conj_physical _conj_physical _reshape_alias _unsafe_view alias detach _detach _detach_
    _has_compatible_shallow_copy_type
""".split())
PRODUCTS = frozenset("mm addmm addmm_ bmm baddbmm baddbmm_".split())  # their kernels conjugate
# Compositions that torch resolves as a whole.
WHOLE = frozenset("""
    zeros_like ones_like rand_like randn_like randint_like new_zeros new_ones new_full equal is_set_to
""".split())
_CANNOT_RETYPE = ("torch.Tensor.view is not supported for {} when converting to a different dtype.")


def is_pending(value) -> bool:
    return isinstance(value, Tensor) and isinstance(value._mt_kind, Pending)


def answer(op: Operator, args):
    """The result of an op on tensors some of which are pending; NO where the op can be left to itself."""
    special = SPECIAL.get(op.name)
    if special is not None and not op.is_out:
        return special(op, args)
    if op.name in LOOKED_THROUGH and not op.is_out or op.inplace_view:
        return NO
    if op.how == VIEW:
        return _view(op, args)
    if (op.composite and op.name not in WHOLE) or (op.aliases >= 0 and op.mutates < 0):
        return NO  # its parts are asked
    if op.name in PRODUCTS and not op.is_out and not any([is_pending(a) and is_neg(a) for a in args]):
        return NO if op.mutates < 0 or not is_pending(args[0]) else _resolved(op, args)
    return _resolved(op, args)


def _view(op: Operator, args):
    """A view shows what is pending in its source, too."""
    source = args[op.tensor0]
    views = dispatcher.compute_plain(op, args)
    for view in (views,) if isinstance(views, Tensor) else views:
        view._mt_kind = source._mt_kind
    return views


def _resolved(op: Operator, args):
    """The op on copies; those it wrote are copied back."""
    given = [_copied(value) if is_pending(value) else
             type(value)([_copied(v) if is_pending(v) else v for v in value]) if isinstance(value, (list, tuple))
             else value for value in args]
    result = op.work(*given) if op.composite else dispatcher.compute(op, tuple(given))
    for param, value, copy in zip(op.schema.params, args, given):
        if param.alias.endswith("!") and is_pending(value):
            aten.copy_(value, copy)
            result = value if result is copy else result
    return result


def _copied(value: Tensor) -> Tensor:
    return aten.clone(value)


def _clone(op: Operator, args):
    copied = dispatcher.compute_plain(op, (memory_of(args[0]), *args[1:]))
    return _carry_out(copied, is_conj(args[0]), is_neg(args[0]))


def _copy(op: Operator, args):
    """A copy is conjugated or negated where only one side is to be."""
    into, source, *rest = args
    target = memory_of(into)
    dispatcher.compute_plain(op, (target, target if source is into else memory_of(source), *rest))
    if source is not into:
        _carry_out(target, is_conj(into) != is_conj(source), is_neg(into) != is_neg(source))
    return into


def _carry_out(tensor: Tensor, conj: bool, neg: bool) -> Tensor:
    """Conjugate or negate what is in memory."""
    if conj and tensor.dtype.is_complex:
        dispatcher.compute_plain(aten.conj_physical_.only, (tensor,))
    if neg:
        dispatcher.compute_plain(aten.neg_.only, (tensor,))
    return tensor


def _conj_physical_(op: Operator, args):
    _carry_out(memory_of(args[0]), True, False)
    return args[0]


def _view_as_real(op: Operator, args):
    if is_conj(args[0]):
        raise RuntimeError("view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate "
                           "tensor so you can view it as real, use self.resolve_conj(); however, be warned that the "
                           "resulting tensor will NOT alias the original.")
    return _view(op, args)


def _retyped(op: Operator, args):
    if op.overload == "dtype" and args[1] is not args[0].dtype:
        raise RuntimeError(_CANNOT_RETYPE.format("conjugate view tensors" if is_conj(args[0]) else
                                                 "tensors with negative bit set"))
    return _view(op, args)


def _dot(op: Operator, args):
    """A conjugated vector is not copied: dot and vdot differ in a conjugation."""
    first, second = args
    if is_neg(first) or is_neg(second):
        return _resolved(op, args)
    if not is_conj(first):
        if op.name == "dot":
            return _dot(op, (second, first))
        return _resolved(op, args) if not is_conj(second) else aten._conj(_other(op, (first, aten._conj(second))))
    first = aten._conj(first)
    if not is_conj(second):
        return _other(op, (first, second))
    return aten._conj(dispatcher.compute_plain(op, (first, aten._conj(second))))


def _other(op: Operator, args):
    """vdot in the place of dot and the other way round, without a row."""
    other = aten.vdot if op.name == "dot" else aten.dot
    return dispatcher.compute_plain(other.only_new, args)


SPECIAL = {"clone": _clone, "copy_": _copy, "conj_physical_": _conj_physical_, "view_as_real": _view_as_real,
           "view": _retyped, "dot": _dot, "vdot": _dot}
Pending.answer = staticmethod(answer)
