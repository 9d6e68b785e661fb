# cython: annotation_typing=False
"""A choice between two tensors, element by element."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core import promotion
from ...core.device import strided
from ...core.tensor import Tensor, add_attribute
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.bind import without_numpy
from ...dispatch.dispatcher import is_unobserved
from ...dispatch.structured import result_for
from ...opdef.form import Op
from ...opdef.rules import elementwise
from ..shared.layout import unsized


def _check_condition(condition) -> None:
    if condition.dtype is not dtypes.bool_ and condition.dtype is not dtypes.uint8:
        raise RuntimeError("where expected condition to be a boolean tensor, but got a tensor with dtype "
                           f"{condition.dtype.short}")


class WhereSelf(Op):
    """self where the condition holds, other elsewhere."""

    schema = "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"
    variants = "out"
    node = "WhereBackward0"
    tuned = "shapes and types are compared where they are brought together"

    def meta(condition, self, other, *_):
        _check_condition(condition)
        return elementwise((condition, self, other), promotion.result_type(self, other))

    def body(condition, self, other, out=None):
        _check_condition(condition)
        common = self.dtype if self.dtype is other.dtype else promotion.result_type(self, other)
        if out is None and condition.dtype is dtypes.bool_ and self.dtype is other.dtype and is_unobserved():
            out = result_for((condition, self, other), common)
            run.where(out, condition, self, other)
            return out
        if out is None:
            out = unsized(common)
        elif out.dtype is not common:
            raise RuntimeError(f"Expected out type to be {common.short} but got {out.dtype.short}")
        condition, self, other = [t if t.dtype is dtype else aten.to(t, dtype) for t, dtype in
                                  ((condition, dtypes.bool_), (self, common), (other, common))]
        result_for((condition, self, other), common, out)
        run.where(out, condition, self, other)
        return out

    grads_of = "self other"

    def grads(grad, condition, needs):
        of_other = aten.where(condition, 0, grad) if needs[1] else None
        return aten.where(condition, grad, 0) if needs[0] else None, of_other


class WhereScalarSelf(Op):
    """A number where the condition holds, other elsewhere."""

    schema = "where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor"

    def body(condition, self, other):
        common = promotion.result_type(other, self)
        number = aten.scalar_tensor(self, dtype=common, layout=strided)
        return aten.where(condition, number, aten.to(other, common))


class WhereScalarOther(Op):
    """self where the condition holds, a number elsewhere."""

    schema = "where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor"

    def body(condition, self, other):
        common = promotion.result_type(self, other)
        number = aten.scalar_tensor(other, dtype=common, layout=strided)
        return aten.where(condition, aten.to(self, common), number)


class WhereScalar(Op):
    """One number where the condition holds, another elsewhere."""

    schema = "where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor"

    def body(condition, self, other):
        common = promotion.result_type(self, other)
        rest = aten.scalar_tensor(other, dtype=common, layout=strided)
        chosen = aten.scalar_tensor(self, dtype=common, layout=strided)
        return aten.where(condition, chosen, rest)


class WhereIndices(Op):
    """The indices of what is not zero, one tensor per dimension."""

    schema = "where(Tensor condition) -> Tensor[]"

    def body(condition):
        return aten.nonzero_numpy(condition)


def _where_method(self: Tensor, condition: Tensor, other):
    """self where the condition holds, other elsewhere."""
    return aten.where(condition, self, without_numpy(other))


add_attribute("where", _where_method)
