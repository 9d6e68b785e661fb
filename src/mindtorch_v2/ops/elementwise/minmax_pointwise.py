"""The larger or smaller of two tensors, element by element."""

from __future__ import annotations

from ...dispatch.aten import aten
from ...opdef import operator, rules
from ...opdef.form import Op


def _real(name: str) -> rules.OfTypes:
    def check(self, other, *_):
        if self.dtype.is_complex or other.dtype.is_complex:
            raise RuntimeError(f"{name} not implemented for complex tensors.")
    return rules.OfTypes(operator.SAME, check)


def _share(grad, self, other, lost):
    """The gradient of one side: nothing where it lost, half where both were equal."""
    halves = aten.div(grad, 2)
    shared = aten.where(aten.eq(self, other), halves, grad)
    return aten.masked_fill_(shared, lost(self, other), 0)


class Maximum(Op):
    """The larger of two; nan if either is."""

    schema = "maximum(Tensor self, Tensor other) -> Tensor"
    variants = "method out"
    meta = _real("maximum")

    def grads(grad, self, other, needs):
        of_other = _share(grad, self, other, aten.gt) if needs[1] else None
        return _share(grad, self, other, aten.lt) if needs[0] else None, of_other


class Minimum(Op):
    """The smaller of two; nan if either is."""

    schema = "minimum(Tensor self, Tensor other) -> Tensor"
    variants = "method out"
    meta = _real("minimum")

    def grads(grad, self, other, needs):
        of_other = _share(grad, self, other, aten.lt) if needs[1] else None
        return _share(grad, self, other, aten.gt) if needs[0] else None, of_other


def _pick(grad, self, other, wins, needs):
    """The gradient goes whole to the side that won; a nan never wins."""
    def won():
        better = wins(self, other)
        return aten.logical_or_(better, aten.isnan(other))
    of_other = aten.masked_fill(grad, won(), 0) if needs[1] else None
    return aten.masked_fill(grad, aten.logical_not_(won()), 0) if needs[0] else None, of_other


class Fmax(Op):
    """The larger of two; the other one where one is nan."""

    schema = "fmax(Tensor self, Tensor other) -> Tensor"
    variants = "method out"
    meta = _real("fmax")

    def grads(grad, self, other, needs):
        return _pick(grad, self, other, aten.ge, needs)


class Fmin(Op):
    """The smaller of two; the other one where one is nan."""

    schema = "fmin(Tensor self, Tensor other) -> Tensor"
    variants = "method out"
    meta = _real("fmin")

    def grads(grad, self, other, needs):
        return _pick(grad, self, other, aten.le, needs)
