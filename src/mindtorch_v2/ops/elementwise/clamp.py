# cython: annotation_typing=False
"""Between bounds, given as numbers or as tensors."""

from __future__ import annotations

import math

from ...core import dtype as dtypes
from ...core import promotion
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.dispatcher import is_unobserved
from ...dispatch.structured import result_for
from ...opdef import operator, rules
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.scalars import converted

HOT = "the common type is worked out once"


def _check_bounds(self, min=None, max=None, *_) -> None:
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if self.dtype.is_complex:
        raise _no_complex()


def _common(self, min, max) -> dtypes.DType:
    """The type of a tensor and its bounds."""
    common = promotion.type_with(self, min)
    if common is not self.dtype or promotion.type_with(self, max) is not common:
        common = promotion.result_type(*[v for v in (self, min, max) if v is not None])
    if common.is_complex:  # numbers without an imaginary part bound floats all the same
        if self.dtype.category < dtypes.FLOATING:
            raise _no_complex()
        common = self.dtype
    if common is dtypes.bool_:
        raise _no_bool("clamp" if min is not None and max is not None else "clamp_max" if min is None else "clamp_min")
    return common


def _no_complex() -> Exception:
    return NotImplementedError("clamp is not supported for complex types")


def _no_bool(name: str) -> Exception:
    return NotImplementedError(f"\"{name}_scalar_cpu\" not implemented for 'Bool'")


def _bound(value, dtype: dtypes.DType):
    """A number in the type of what it bounds; no bound, or zero, fits every type."""
    return converted(value, dtype) if value or isinstance(value, complex) else value


def hold(base, low, high, out=None):
    """A tensor held between two numbers, into a tensor that exists or a new one."""
    low, high = _bound(low, base.dtype), _bound(high, base.dtype)
    out = result_for((base,), base.dtype, out)
    _CLAMP(out, base, low, high)
    return out


def _storable(common: dtypes.DType, into, self) -> None:
    if into is not self and into.dtype is not common:
        raise RuntimeError(f"Found dtype {into.dtype.short} but expected {common.short}")
    if common.category > into.dtype.category:
        raise RuntimeError(f"result type {common.short} can't be cast to the desired output type "
                           f"{dtypes.C_NAMES[into.dtype.name]}")


def _clamp(self, min, max, out=None):
    _check_bounds(self, min, max)
    common = _common(self, min, max)
    if out is not None:
        _storable(common, out, self)
    base = self if common is self.dtype and is_unobserved() else aten.to(self, common)
    if _is_nan(min) or _is_nan(max):
        return aten.fill_(result_for((base,), common, out), math.nan)
    return hold(base, min, max, out)


def _clamp_rule(self, min, max, *_) -> rules.Spec:
    _check_bounds(self, min, max)
    return rules.elementwise((self,), _common(self, min, max))


def _one_sided_rule(name: str):
    def rule(self, bound, *_) -> rules.Spec:
        return rules.elementwise((self,), _checked_common(name, self, bound))
    return rule


class Clamp(Op):
    """self, but no less than min and no more than max."""

    schema = "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"
    variants = "method inplace out"
    node = "ClampBackward1"
    tuned = HOT
    meta = _clamp_rule
    body = _clamp

    def inplace(self, min, max):
        return _clamp(self, min, max, self)

    def grad_self(grad, self, min, max):
        return _masked(grad, lambda: _inside(self, min, max))


def _is_nan(bound) -> bool:
    return isinstance(bound, float) and bound != bound


def _inside(self, min, max):
    """Where nothing was cut off; the bounds themselves count as inside."""
    if max is None:
        return aten.ge(self, min)
    if min is None:
        return aten.le(self, max)
    above = aten.ge(self, min)
    return aten.logical_and_(above, aten.le(self, max))


def _check_bound_tensors(self, min=None, max=None, *_) -> None:
    _check_bounds(self, min, max)
    bounds = [bound for bound in (min, max) if bound is not None]
    common = promotion.result_type(self, *bounds)
    if common.is_complex:
        raise _no_complex() if len(bounds) == 2 else not_implemented(
            "maximum_cpu" if max is None else "minimum_cpu", common)
    if min is not None and max is not None and self.dtype is min.dtype is max.dtype is dtypes.bool_:
        raise NotImplementedError("\"clamp_cpu\" not implemented for 'Bool'")


class ClampTensor(Op):
    """self between bounds of its own for each element."""

    schema = "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"
    variants = "method inplace Tensor_out"
    node = "ClampBackward0"
    meta = rules.Checked(operator.SAME, _check_bound_tensors)
    kernel = "clamp_between"

    def grads(grad, self, min, max, needs):
        low = high = None
        if needs[1] or needs[2]:
            zero = aten.scalar_tensor(0.0, dtype=grad.dtype)
            if needs[1]:
                below = aten.lt(self, min)
                below = below if max is None else aten.logical_and_(below, aten.lt(min, max))
                low = aten.where(below, grad, zero)
            if needs[2]:
                above = aten.gt(self, max)
                above = above if min is None else aten.logical_or_(above, aten.lt(max, min))
                high = aten.where(above, grad, zero)
        if not needs[0]:
            return None, low, high
        return _masked(grad, lambda: _inside(self, min, max)), low, high


def _checked_common(name: str, self, bound) -> dtypes.DType:
    common = promotion.type_with(self, bound)
    if common.is_complex:
        raise _no_complex()
    if common is dtypes.bool_:
        raise _no_bool(name)
    return common


def _one_sided(name: str, self, bound, out=None):
    """The base of a clamp with one bound; torch asks for a cast where the types differ and of all integers."""
    common = _checked_common(name, self, bound)
    if out is not None:
        _storable(common, out, self)
    is_shown = common is not self.dtype or common.category != dtypes.FLOATING and not is_unobserved()
    return aten.to(self, common) if is_shown else self


def _masked(grad, mask_of):
    """The gradient where a condition holds, which is asked after the zero is made, as torch does."""
    zero = aten.scalar_tensor(0.0, dtype=grad.dtype)
    return aten.where(mask_of(), grad, zero)


class ClampMin(Op):
    """self, but no less than min."""

    schema = "clamp_min(Tensor self, Scalar min) -> Tensor"
    variants = "method inplace out"
    tuned = HOT
    meta = _one_sided_rule("clamp_min")

    def body(self, min, out=None):
        return hold(_one_sided("clamp_min", self, min, out), min, None, out)

    def inplace(self, min):
        return hold(_one_sided("clamp_min", self, min, self), min, None, self)

    def grad_self(grad, self, min):
        return _masked(grad, lambda: aten.ge(self, min))


class ClampMinTensor(Op):
    """self, but no less than min, element by element."""

    schema = "clamp_min.Tensor(Tensor self, Tensor min) -> Tensor"
    variants = "method inplace Tensor_out"
    node = "ClampMinBackward1"
    meta = rules.pointwise
    kernel_types = "maximum_cpu: bool integral floating"
    kernel = "maximum"

    def grads(grad, self, min, needs):
        bound = _masked(grad, lambda: aten.lt(self, min)) if needs[1] else None
        return _masked(grad, lambda: aten.ge(self, min)) if needs[0] else None, bound


class ClampMax(Op):
    """self, but no more than max."""

    schema = "clamp_max(Tensor self, Scalar max) -> Tensor"
    variants = "method inplace out"
    tuned = HOT
    meta = _one_sided_rule("clamp_max")

    def body(self, max, out=None):
        return hold(_one_sided("clamp_max", self, max, out), None, max, out)

    def inplace(self, max):
        return hold(_one_sided("clamp_max", self, max, self), None, max, self)

    def grad_self(grad, self, max):
        return _masked(grad, lambda: aten.le(self, max))


class ClampMaxTensor(Op):
    """self, but no more than max, element by element."""

    schema = "clamp_max.Tensor(Tensor self, Tensor max) -> Tensor"
    variants = "method inplace Tensor_out"
    node = "ClampMaxBackward1"
    meta = rules.pointwise
    kernel_types = "minimum_cpu: bool integral floating"
    kernel = "minimum"

    def grads(grad, self, max, needs):
        bound = _masked(grad, lambda: aten.gt(self, max)) if needs[1] else None
        return _masked(grad, lambda: aten.le(self, max)) if needs[0] else None, bound


class Clip(Op):
    """NumPy's name of clamp."""

    schema = "clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor"
    variants = "method inplace out"

    def body(self, min, max, out=None):
        return aten.clamp(self, min, max) if out is None else aten.clamp(self, min, max, out=out)

    def inplace(self, min, max):
        return aten.clamp_(self, min, max)


class ClipTensor(Op):
    """NumPy's name of clamp, with bounds for each element."""

    schema = "clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor"
    variants = "method inplace Tensor_out"

    def body(self, min, max, out=None):
        return aten.clamp(self, min, max) if out is None else aten.clamp(self, min, max, out=out)

    def inplace(self, min, max):
        return aten.clamp_(self, min, max)


_CLAMP = run.clamp
