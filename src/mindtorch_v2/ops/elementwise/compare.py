# cython: annotation_typing=False
"""Is it equal, smaller, close: comparisons, whose results are booleans."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.tensor import same_shape, shape_of
from ...devices.kernel import ask
from ...dispatch.aten import aten
from ...dispatch.bind import wrap_number
from ...dispatch.dispatcher import run_kernel
from ...opdef import rules, table
from ...opdef.form import Op, declare

# name, torch's other name, what it asks
COMPARISONS = [
    ("eq", None, "self == other."),
    ("ne", "not_equal", "self != other."),
    ("lt", "less", "self < other."),
    ("le", "less_equal", "self <= other."),
    ("gt", "greater", "self > other."),
    ("ge", "greater_equal", "self >= other."),
]


def _declare(name: str, doc: str) -> None:
    """A comparison with a tensor and with a number, each also in place and into a given tensor."""
    facets = {"meta": rules.comparison, "kernel": name}
    if name not in ("eq", "ne"):  # complex numbers have no order
        facets["kernel_types"] = f"{name}_cpu: bool integral floating"
    with_tensor = declare(f"{name}.Tensor(Tensor self, Tensor other) -> Tensor", doc, variants="method Tensor_out",
                          **facets).op
    into = table.find(name, "Tensor_out")
    in_place = declare(f"{name}_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", doc, **facets,
                       node=f"{name.title()}Backward1", variants="method", grads=_flat_both).op

    def with_number(self, other, out=None):
        """A number becomes a tensor inside the op: torch shows one row, the cast within it."""
        operands = self, wrap_number(other)
        return run_kernel(with_tensor, operands) if out is None else run_kernel(into, (*operands, out))

    declare(f"{name}.Scalar(Tensor self, Scalar other) -> Tensor", doc, variants="method Scalar_out",
            below="booleans", body=with_number)
    declare(f"{name}_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", doc, variants="method", grad_self=_flat,
            body=lambda self, other: run_kernel(in_place, (self, wrap_number(other))))


def _flat(grad):
    return aten.zeros(shape_of(grad), dtype=grad.dtype)


def _flat_both(grad, other_shape, other_dtype, needs):
    of_other = aten.zeros(other_shape, dtype=other_dtype) if needs[1] else None
    return _flat(grad) if needs[0] else None, of_other


def _alias(name: str, of: str) -> None:
    """torch's long name of a comparison: a row around the short one's."""
    def body(self, other, out=None):
        return getattr(aten, of)(self, other) if out is None else getattr(aten, of)(self, other, out=out)

    for kind in ("Tensor", "Scalar"):
        declare(f"{name}.{kind}(Tensor self, {kind} other) -> Tensor", f"The same as {of}.", body=body,
                variants=f"method inplace {kind}_out", inplace=lambda self, other: getattr(aten, of + "_")(self, other))


for _name, _long_name, _doc in COMPARISONS:
    _declare(_name, _doc)
    if _long_name:
        _alias(_long_name, _name)


class IsSameSize(Op):
    """Whether two tensors have one shape."""

    schema = "is_same_size(Tensor self, Tensor other) -> bool"
    variants = "method"

    def body(self, other):
        return same_shape(self, other)


class Equal(Op):
    """Whether two tensors have one shape and the same elements."""

    schema = "equal(Tensor self, Tensor other) -> bool"
    variants = "method"

    def body(self, other):
        if not aten.is_same_size(self, other):
            return False
        if self.dtype is not other.dtype:
            common = dtypes.promote_types(self.dtype, other.dtype)
            self, other = (t if t.dtype is common else aten.to(t, common) for t in (self, other))
        return ask.equal(self, other)


class Isclose(Op):
    """Whether elements differ by no more than atol + rtol * |other|."""

    schema = ("isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, "
              "bool equal_nan=False) -> Tensor")
    variants = "method"

    def body(self, other, rtol, atol, equal_nan):
        _check_tolerance(self, other, rtol, atol)
        close = aten.eq(self, other)
        if equal_nan and self.dtype.category >= dtypes.FLOATING:
            close = aten.__ior__(close, aten.__iand__(aten.isnan(self), aten.isnan(other)))
        if rtol == 0 and atol == 0:
            return close
        if self.dtype.category < dtypes.FLOATING:
            wide = dtypes.get_default_dtype()
            other = aten.to(other, wide)
            if self.dtype is dtypes.bool_:
                self = aten.to(self, wide)
        allowed = aten.add(aten.abs(aten.mul(other, rtol)), atol)
        actual = aten.abs(aten.sub(self, other))
        near = aten.__iand__(aten.isfinite(actual), aten.le(actual, allowed))
        return aten.__ior__(close, near)


def _check_tolerance(self, other, rtol: float, atol: float) -> None:
    if self.dtype is not other.dtype:
        raise RuntimeError(f"{self.dtype.short} did not match {other.dtype.short}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if not value >= 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")


class Allclose(Op):
    """Whether all elements are close."""

    schema = ("allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, "
              "bool equal_nan=False) -> bool")
    variants = "method"

    def body(self, other, rtol, atol, equal_nan):
        return aten.item(aten.all(aten.isclose(self, other, rtol, atol, equal_nan)))
