"""A copy of a tensor with another laid into part of it: the out-of-place writes through a view."""

from __future__ import annotations

from ...core import geometry
from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from .view import strided


def copied(self):
    """A copy that lies in memory exactly as its source does, gaps included."""
    shape, strides = shape_of(self), self.stride()
    if 0 in shape or geometry.is_non_overlapping_and_dense(shape, strides) or 0 not in strides:
        span = 1 + sum([(n - 1) * s for n, s in zip(shape, strides)]) if 0 not in shape else 0
        return strided(aten.clone(strided(self, (span,), (1,))), shape, strides, 0)
    return aten.clone(self)


def _written(self, src, view):
    out = copied(self)
    part = view(out)
    if shape_of(part) != shape_of(src):
        raise RuntimeError("expected src to have a size equal to the slice of self. src size = "
                           f"{list(shape_of(src))}, slice size = {list(shape_of(part))}")
    aten.copy_(part, src)
    return out


class SelectScatter(Op):
    """One index of a dimension replaced."""

    schema = "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor"
    variants = "method"

    def body(self, src, dim, index):
        return _written(self, src, lambda out: aten.select(out, dim, index))

    def grad_self(grad, src_shape, dim, index):
        return aten.select_scatter(grad, aten.zeros(src_shape, dtype=grad.dtype), dim, index)

    def grad_src(grad, dim, index):
        return aten.select(grad, dim, index)


class SliceScatter(Op):
    """A range of a dimension replaced."""

    schema = ("slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) "
              "-> Tensor")
    variants = "method"

    def body(self, src, dim, start, end, step):
        return _written(self, src, lambda out: aten.slice(out, dim, start, end, step))

    def grad_self(grad, src_shape, dim, start, end, step):
        return aten.slice_scatter(grad, aten.zeros(src_shape, dtype=grad.dtype), dim, start, end, step)

    def grad_src(grad, dim, start, end, step):
        return aten.slice(grad, dim, start, end, step)


class DiagonalScatter(Op):
    """A diagonal replaced."""

    schema = "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor"
    variants = "method"

    def body(self, src, offset, dim1, dim2):
        return _written(self, src, lambda out: aten.diagonal(out, offset, dim1, dim2))

    def grad_self(grad, src_shape, offset, dim1, dim2):
        return aten.diagonal_scatter(grad, aten.zeros(src_shape, dtype=grad.dtype), offset, dim1, dim2)

    def grad_src(grad, offset, dim1, dim2):
        return aten.diagonal(grad, offset, dim1, dim2)


class AsStridedScatter(Op):
    """What a view by sizes and strides shows, replaced."""

    schema = ("as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
              "storage_offset=None) "
              "-> Tensor")
    variants = "method"

    def body(self, src, size, stride, storage_offset):
        return _written(self, src, lambda out: aten.as_strided(out, size, stride, storage_offset))

    def grad_self(grad, src_shape, size, stride, storage_offset):
        zeros = aten.zeros(src_shape, dtype=grad.dtype)
        return aten.as_strided_scatter(grad, zeros, size, stride, storage_offset)

    def grad_src(grad, size, stride, storage_offset):
        grad = grad if grad.is_contiguous() else aten.contiguous(grad)
        return aten.as_strided(grad, size, stride, storage_offset)
