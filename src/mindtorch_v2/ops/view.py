"""The same storage, described anew. All but the leaves end in as_strided, as torch's do."""

from __future__ import annotations

from ..core import geometry
from ..core.device import contiguous_format
from ..core.geometry import wrap_dim
from ..dispatch.aten import aten
from ..opdef.form import Op
from .reduce import sum_to


class AsStrided(Op):
    """A view by explicit sizes, strides and offset."""

    schema = "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)"
    variants = "method"

    def view(self, size, stride, storage_offset):
        return self.see(size, stride, self.offset() if storage_offset is None else storage_offset)

    def grad_self(grad, self, size, stride, storage_offset):
        return aten.as_strided_scatter(aten.new_zeros(grad, tuple(self.shape)), grad, size, stride, storage_offset)


class Transpose(Op):
    """Two dimensions swapped."""

    schema = "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)"
    variants = "method"

    def body(self, dim0, dim1):
        ndim = self.dim()
        dim0, dim1 = wrap_dim(dim0, ndim), wrap_dim(dim1, ndim)
        shape, strides = list(self.array.shape), list(self.stride())
        if ndim:
            shape[dim0], shape[dim1] = shape[dim1], shape[dim0]
            strides[dim0], strides[dim1] = strides[dim1], strides[dim0]
        return aten.as_strided(self, tuple(shape), tuple(strides))

    def grad_self(grad, dim0, dim1):
        return aten.transpose(grad, dim0, dim1)


class T(Op):
    """The transpose of a matrix."""

    schema = "t(Tensor(a) self) -> Tensor(a)"
    node = "TBackward0"
    variants = "method"

    def body(self):
        if self.dim() > 2:
            raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")
        return aten.transpose(self, 0, 0 if self.dim() < 2 else 1)

    def grad_self(grad):
        return aten.t(grad)


class Expand(Op):
    """Dimensions of size one repeated without a copy."""

    schema = "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"
    variants = "method"

    def body(self, size, implicit):
        shape, strides = self.array.shape, self.stride()
        lead = len(size) - len(shape)
        if lead < 0:
            raise RuntimeError(f"expand({_type(self)}{{{list(shape)}}}, size={list(size)}): the number of sizes provided "
                               f"({len(size)}) must be greater or equal to the number of dimensions in the tensor "
                               f"({len(shape)})")
        new_shape, new_strides = [], []
        for i in range(len(size) - 1, -1, -1):
            have, step = (shape[i - lead], strides[i - lead]) if i >= lead else (1, None)
            want = size[i]
            if want == -1:
                if i < lead:
                    raise RuntimeError(f"The expanded size of the tensor ({want}) isn't allowed in a leading, "
                                       f"non-existing dimension {i}")
                want = have
            if have != want and have != 1:
                raise RuntimeError(f"The expanded size of the tensor ({want}) must match the existing size ({have}) at "
                                   f"non-singleton dimension {i}.  Target sizes: {list(size)}.  Tensor sizes: "
                                   f"{list(shape)}")
            if step is None:  # a new dimension of size one lies as far apart as all that follow it
                step = new_shape[-1] * new_strides[-1] if new_shape and want == 1 else 0 if want != 1 else 1
            new_shape.append(want)
            new_strides.append(0 if have == 1 and want != 1 else step)
        return aten.as_strided(self, tuple(reversed(new_shape)), tuple(reversed(new_strides)))

    def grad_self(grad, self):
        return sum_to(grad, self.array.shape)


class View(Op):
    """Another shape over the same memory, where strides allow it."""

    schema = "view(Tensor(a) self, SymInt[] size) -> Tensor(a)"
    variants = "method"

    def view(self, size):
        shape = geometry.infer_size(size, self.numel())
        strides = geometry.view_strides(self.array.shape, self.stride(), shape)
        if strides is None:
            raise RuntimeError("view size is not compatible with input tensor's size and stride (at least one dimension "
                               "spans across two contiguous subspaces). Use .reshape(...) instead.")
        return self.see(shape, strides, self.offset())

    def grad_self(grad, self):
        return aten.reshape(grad, tuple(self.shape))


class UnsafeView(Op):
    """view() of a tensor nobody else holds, which therefore counts as new."""

    schema = "_unsafe_view(Tensor self, SymInt[] size) -> Tensor"
    node = "UnsafeViewBackward0"

    def view(self, size):
        shape = geometry.infer_size(size, self.numel())
        return self.see(shape, geometry.view_strides(self.array.shape, self.stride(), shape), self.offset())

    def grad_self(grad, self):
        return aten.reshape(grad, tuple(self.shape))


class ReshapeAlias(Op):
    """reshape() where strides allow a view that view() would not find."""

    schema = "_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)"
    node = "ReshapeAliasBackward0"

    def view(self, size, stride):
        return self.see(size, stride, self.offset())

    def grad_self(grad, self):
        return aten.reshape(grad, tuple(self.shape))


class Reshape(Op):
    """Another shape, as a view where possible and as a copy elsewhere."""

    schema = "reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)"
    variants = "method"

    def body(self, shape):
        wanted = geometry.infer_size(shape, self.numel())
        strides = geometry.view_strides(self.array.shape, self.stride(), wanted)
        if strides is None:
            return aten._unsafe_view(aten.clone(self, memory_format=contiguous_format), wanted)
        if self.is_contiguous():
            return aten.view(self, shape)
        return aten._reshape_alias(self, wanted, strides)


def _type(t) -> str:
    return f"torch.{t.dtype.short}Tensor"
