"""Dimensions of size one, put in and taken out."""

from __future__ import annotations

from ...core.geometry import inserted, wrap_dim, wrap_dims
from ...core.tensor import Tensor, shape_of, strides_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from .view import strided


def unsqueezed(self, dim: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shape and strides with a dimension of size one at ``dim``; it lies as far apart as what follows it."""
    shape, strides = shape_of(self), strides_of(self)
    dim = wrap_dim(dim, len(shape) + 1)
    step = shape[dim] * strides[dim] if dim < len(shape) else 1
    return inserted(shape, dim, 1), inserted(strides, dim, step)


def squeezed(self, dims) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shape and strides without those of the given dimensions that have size one."""
    shape, strides = shape_of(self), strides_of(self)
    kept = [i for i in range(len(shape)) if shape[i] != 1 or i not in dims]
    return tuple([shape[i] for i in kept]), tuple([strides[i] for i in kept])


def squeezed_dims(ndim: int, dim) -> tuple[int, ...]:
    """The dimensions squeeze() may take, counted from the front."""
    if isinstance(dim, int):
        return (wrap_dim(dim, ndim),)
    return wrap_dims(dim, ndim) if dim else ()


def unsqueeze_to(grad, shape, dims):
    """Put back the dimensions of size one that squeeze() took from a shape."""
    for d in sorted(dims):
        if d < len(shape) and shape[d] == 1:
            grad = aten.unsqueeze(grad, d)
    return grad


class Unsqueeze(Op):
    """A new dimension of size one."""

    schema = "unsqueeze(Tensor(a) self, int dim) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dim):
        shape, strides = unsqueezed(self, dim)
        return strided(self, shape, strides)

    def grad_self(grad, dim):
        return aten.squeeze(grad, dim)


class Squeeze(Op):
    """No dimension of size one is left."""

    schema = "squeeze(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor):
        shape, strides = squeezed(self, range(self.dim()))
        return strided(self, shape, strides)

    def grad_self(grad, self_shape):
        return unsqueeze_to(grad, self_shape, range(len(self_shape)))


class SqueezeDim(Op):
    """A dimension taken out if its size is one."""

    schema = "squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)"
    node = "SqueezeBackward1"
    variants = "method"

    def body(self: Tensor, dim):
        shape, strides = squeezed(self, squeezed_dims(self.dim(), dim))
        return strided(self, shape, strides)

    def grad_self(grad, self_shape, dim):
        return unsqueeze_to(grad, self_shape, squeezed_dims(len(self_shape), dim))


class SqueezeDims(Op):
    """Those of some dimensions taken out that have size one."""

    schema = "squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)"
    node = "SqueezeBackward2"
    variants = "method"

    def body(self: Tensor, dim):
        shape, strides = squeezed(self, squeezed_dims(self.dim(), dim))
        return strided(self, shape, strides)

    def grad_self(grad, self_shape, dim):
        return unsqueeze_to(grad, self_shape, squeezed_dims(len(self_shape), dim))
