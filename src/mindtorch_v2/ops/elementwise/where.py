"""A choice between two tensors, element by element."""

from __future__ import annotations

import numpy as np

from ...core import dtype as dtypes
from ...core import promotion
from ...core.device import strided
from ...core.geometry import broadcast_shapes, is_non_overlapping_and_dense
from ...core.tensor import Tensor, add_attribute
from ...devices import cpu as kernels
from ...dispatch.aten import aten
from ...dispatch.bind import plain_number
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op


def fit(out, shape: tuple[int, ...], *operands) -> None:
    """Give a kernel's result its shape, and the layout of the first operand that is as large, if it has no gaps."""
    if out._mt_array.shape == shape:
        return
    resize_output(out, shape)
    leader = next((t for t in operands if t._mt_array.shape == shape), None)
    if leader is not None and not leader._mt_array.flags.c_contiguous:
        strides = leader.stride()
        if is_non_overlapping_and_dense(shape, strides):
            aten.as_strided_(out, shape, strides)


def _check_condition(condition, self, other, *_) -> None:
    if condition.dtype is not dtypes.bool_ and condition.dtype is not dtypes.uint8:
        raise RuntimeError("where expected condition to be a boolean tensor, but got a tensor with dtype "
                           f"{condition.dtype.short}")


class WhereSelf(Op):
    """self where the condition holds, other elsewhere."""

    schema = "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor"
    node = "WhereBackward0"
    meta = _check_condition

    def body(condition, self, other):
        common = self.dtype if self.dtype is other.dtype else promotion.result_type(self, other)
        return choose_into(aten.empty((0,), dtype=common, layout=strided), condition, self, other)

    grads_of = "self other"

    def grads(grad, condition, needs):
        of_other = aten.where(condition, 0, grad) if needs[1] else None
        return aten.where(condition, grad, 0) if needs[0] else None, of_other


class WhereOut(Op):
    """self where the condition holds, other elsewhere, into a given tensor."""

    schema = "where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)"
    below = "out= has no derivative"
    meta = _check_condition

    def body(condition, self, other, out):
        common = promotion.result_type(self, other)
        if out.dtype is not common:
            raise RuntimeError(f"Expected out type to be {common.short} but got {out.dtype.short}")
        return choose_into(out, condition, self, other)


def choose_into(out, condition, self, other):
    """Cast what differs from the result's type, then pick."""
    if condition.dtype is not dtypes.bool_:
        condition = aten.to(condition, dtypes.bool_)
    if self.dtype is not out.dtype:
        self = aten.to(self, out.dtype)
    if other.dtype is not out.dtype:
        other = aten.to(other, out.dtype)
    where, a, b = condition._mt_array, self._mt_array, other._mt_array
    shape = where.shape
    if not shape == a.shape == b.shape:
        shape = broadcast_shapes(broadcast_shapes(shape, a.shape), b.shape)
    fit(out, shape, condition, self, other)
    whole = where.shape == shape and a.shape in (shape, ()) and b.shape in (shape, ())
    if whole and all(array.flags.c_contiguous for array in (out._mt_array, where, a, b)):
        kernels.pointwise.where(out._mt_array, where, a, b)
    else:
        np.copyto(out._mt_array, np.where(where, a, b))
    return out


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
    return aten.where(condition, self, plain_number(other) if isinstance(other, np.generic) else other)


add_attribute("where", _where_method)
