"""The vector that stands on two others."""

from __future__ import annotations

from ...core.geometry import broadcast_shapes, wrap_dim
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.deprecations import deprecated

SIDES = 3  # there is such a vector in as many dimensions only


class LinalgCross(Op):
    """The cross product of vectors that lie along a dimension."""

    schema = "linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor"
    overlap = "spares_inputs"
    variants = "out"

    def meta(self, other, dim):
        if ndim_of(self) != ndim_of(other):
            raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
        at = wrap_dim(dim, ndim_of(self))
        if shape_of(self)[at] != SIDES or shape_of(other)[at] != SIDES:
            raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {shape_of(self)[at]} and "
                               f"{shape_of(other)[at]}")
        return Spec(broadcast_shapes(shape_of(self), shape_of(other)), self.dtype)

    def into(out, self, other, dim):
        self, other = aten.expand(self, shape_of(out)), aten.expand(other, shape_of(out))
        if self.dtype is not other.dtype:
            raise RuntimeError(f"expected scalar type {self.dtype.short} but found {other.dtype.short}")
        run.cross(out, self, other, wrap_dim(dim, ndim_of(self)))

    def grad_self(grad, other, dim):
        return aten.linalg_cross(other, grad, dim=dim)

    def grad_other(grad, self, dim):
        return aten.linalg_cross(grad, self, dim=dim)


class Cross(Op):
    """linalg_cross() along the first dimension of size 3, unless another is named."""

    schema = "cross(Tensor self, Tensor other, int? dim=None) -> Tensor"
    variants = "method out"

    def body(self, other, dim, out=None):
        if dim is None:
            deprecated("cross")
            dim = next((d for d, size in enumerate(shape_of(self)) if size == SIDES), None)
            if dim is None:
                raise RuntimeError("no dimension of size 3 in input")
        return aten.linalg_cross(self, other, dim=dim, **({} if out is None else {"out": out}))
