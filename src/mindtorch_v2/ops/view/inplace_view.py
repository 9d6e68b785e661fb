"""Views taken in place: the tensor stays the same object and looks at its storage in another way."""

from __future__ import annotations

from ...core.fields import show_as
from ...core.geometry import wrap_dim
from ...core.tensor import shape_of
from ...dispatch.aten import aten
from ...opdef.form import Op
from .permute import swapped, transposed_dim
from .squeeze import squeezed, squeezed_dims, unsqueeze_to, unsqueezed
from .view import AsStrided, as_strided_backward


class AsStridedInplace(Op):
    """The tensor itself by other sizes, strides and offset."""

    schema = ("as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)")
    node = "AsStridedBackward1"
    inplace_view = True
    variants = "method"

    def body(self, size, stride, storage_offset):
        show_as(self, AsStrided.view(self, size, stride, storage_offset))
        return self

    def grad_self(grad, self_geometry, size, stride, storage_offset):
        return as_strided_backward(grad, self_geometry, size, stride, storage_offset)


class TransposeInplace(Op):
    """Two dimensions of the tensor itself swapped."""

    schema = "transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)"
    node = "TransposeBackward1"
    inplace_view = True
    variants = "method"

    def body(self, dim0, dim1):
        ndim = self.dim()
        dim0, dim1 = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
        if dim0 == dim1:
            return self
        return aten.as_strided_(self, swapped(shape_of(self), dim0, dim1), swapped(self.stride(), dim0, dim1))

    def grad_self(grad, dim0, dim1):
        return aten.transpose(grad, dim0, dim1)


class TInplace(Op):
    """The matrix itself transposed."""

    schema = "t_(Tensor(a!) self) -> Tensor(a!)"
    node = "TBackward1"
    inplace_view = True
    variants = "method"

    def body(self):
        return aten.transpose_(self, 0, transposed_dim(self))

    def grad_self(grad):
        return aten.t(grad)


class SwapaxesInplace(Op):
    """transpose_() by NumPy's name."""

    schema = "swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)"
    variants = "method"

    def body(self, axis0, axis1):
        return aten.transpose_(self, axis0, axis1)


class SwapdimsInplace(Op):
    """transpose_() by another name."""

    schema = "swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)"
    variants = "method"

    def body(self, dim0, dim1):
        return aten.transpose_(self, dim0, dim1)


class UnsqueezeInplace(Op):
    """A new dimension of size one in the tensor itself."""

    schema = "unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)"
    node = "UnsqueezeBackward1"
    inplace_view = True
    variants = "method"

    def body(self, dim):
        return aten.as_strided_(self, *unsqueezed(self, dim))

    def grad_self(grad, dim):
        return aten.squeeze(grad, dim)


class SqueezeInplace(Op):
    """The tensor itself without dimensions of size one."""

    schema = "squeeze_(Tensor(a!) self) -> Tensor(a!)"
    node = "SqueezeBackward3"
    inplace_view = True
    variants = "method"

    def body(self):
        return aten.as_strided_(self, *squeezed(self, range(self.dim())))

    def grad_self(grad, self_shape):
        return unsqueeze_to(grad, self_shape, range(len(self_shape)))


class SqueezeDimInplace(Op):
    """A dimension of the tensor itself taken out if its size is one."""

    schema = "squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)"
    node = "SqueezeBackward4"
    inplace_view = True
    variants = "method"

    def body(self, dim):
        return aten.as_strided_(self, *squeezed(self, squeezed_dims(self.dim(), dim)))

    def grad_self(grad, self_shape, dim):
        return unsqueeze_to(grad, self_shape, squeezed_dims(len(self_shape), dim))


class SqueezeDimsInplace(Op):
    """Those of some dimensions of the tensor itself taken out that have size one."""

    schema = "squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)"
    node = "SqueezeBackward5"
    inplace_view = True
    variants = "method"

    def body(self, dim):
        return aten.as_strided_(self, *squeezed(self, squeezed_dims(self.dim(), dim)))

    def grad_self(grad, self_shape, dim):
        return unsqueeze_to(grad, self_shape, squeezed_dims(len(self_shape), dim))
