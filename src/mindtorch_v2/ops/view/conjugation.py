"""Complex conjugates and negatives: views that are carried out when they are read, and new values."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core import pending
from ...core.device import contiguous_format
from ...core.tensor import Tensor, add_attribute, blank, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef import rules
from ...opdef.form import Op, declare
from ..shared.not_differentiable import no_complex_gradient


class ConjView(Op):
    """The complex conjugate as a view of the same memory."""

    schema = "_conj(Tensor(a) self) -> Tensor(a)"
    variants = "method"
    node = "ConjBackward0"
    conjugate = False

    def body(self: Tensor):
        if self.dtype.category != dtypes.COMPLEX:
            raise RuntimeError(f"only complex numbers have a conjugate, got a tensor of {self.dtype.short}")
        return pending.toggle(aten.alias(self), conj=True)

    def grad_self(grad):
        return aten._conj(grad) if grad.dtype.is_complex else grad


class ConjCopy(Op):
    """A copy of the complex conjugate; torch does not differentiate it."""

    schema = "_conj_copy(Tensor self) -> Tensor"
    below = "torch refuses to differentiate it"
    meta = rules.like

    def body(self: Tensor):
        no_complex_gradient("_conj_copy", self)
        return aten.clone(aten._conj(self), memory_format=contiguous_format)


class NegView(Op):
    """The negative as a view of the same memory."""

    schema = "_neg_view(Tensor(a) self) -> Tensor(a)"
    variants = "method"
    node = "NegViewBackward0"
    conjugate = False

    def body(self: Tensor):
        return pending.toggle(aten.alias(self), neg=True)

    def grad_self(grad):
        return aten.neg(grad)


class ResolveConj(Op):
    """The tensor itself, or a copy with its conjugation carried out."""

    schema = "resolve_conj(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor):
        return self if self._mt_kind is None or not pending.is_conj(self) else aten.clone(self)


class ResolveNeg(Op):
    """The tensor itself, or a copy with its negation carried out."""

    schema = "resolve_neg(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor):
        return self if self._mt_kind is None or not pending.is_neg(self) else aten.clone(self)


class Conj(Op):
    """The complex conjugate; a real tensor is its own."""

    schema = "conj(Tensor(a) self) -> Tensor(a)"
    internal = "callers.py asks first whether there is anything to do"

    def body(self: Tensor):
        return aten._conj(self) if self.dtype.category == dtypes.COMPLEX else self


class ConjPhysical(Op):
    """The complex conjugate, as new values."""

    schema = "conj_physical(Tensor self) -> Tensor"
    variants = "method"

    def body(self: Tensor):
        return aten._conj_physical(self) if self.dtype.category == dtypes.COMPLEX else self


class ConjPhysicalInner(Op):
    """What conj_physical does."""

    schema = "_conj_physical(Tensor self) -> Tensor"
    internal = "the inner half of conj_physical"
    conjugate = False

    def body(self: Tensor):
        if pending.is_conj(self):
            return aten.clone(aten._conj(self))
        return aten.conj_physical(self, out=aten.empty_like(self))

    def grad_self(grad):
        return aten.conj_physical(grad)


class ConjPhysicalOut(Op):
    """The complex conjugate, into a given tensor."""

    schema = "conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"
    check_out = rules.same_type_out
    meta = rules.like
    into = run.conj_physical


def conjugated(self: Tensor) -> Tensor:
    """The elements of a conjugated view as a kernel wants them, without a row."""
    values = blank(shape_of(self), self.dtype)
    run.conj_physical(values, pending.memory_of(self))
    return values


for _name, _question in (("is_conj", pending.is_conj), ("is_neg", pending.is_neg)):
    declare(f"{_name}(Tensor self) -> bool", "Whether something is pending.", body=_question, internal="torch.ops.aten")
    add_attribute(_name, _question)
