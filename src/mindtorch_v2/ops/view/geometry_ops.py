"""Views and copies by geometry: a slice undone, a part copied, the diagonal filled, dimensions summed away."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.geometry import contiguous_strides, wrap_dim
from ...core.tensor import ndim_of, offset_of, shape_of, strides_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..reduce.sums import sum_to
from ..shared.layout import sized


class SliceInverse(Op):
    """The tensor that a slice was taken from, looked at as another one."""

    schema = ("slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
              "SymInt step=1) -> Tensor(a)")
    variants = "method"

    def body(self, src, dim, start, end, step):
        return aten.as_strided(self, shape_of(src), strides_of(src), offset_of(src))

    def grad_self(grad, dim, start, end, step):
        return aten.slice(grad, dim, start, end, step)

    def grad_src(grad, self_shape, dim, start, end, step):
        return aten.slice_scatter(grad, aten.zeros(self_shape, dtype=grad.dtype), dim, start, end, step)


class NarrowCopy(Op):
    """A copy of a part of one dimension."""

    schema = "narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor"
    variants = "method out"

    def meta(self, dim, start, length):
        if not ndim_of(self):
            raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
        if length < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
        dim = wrap_dim(dim, ndim_of(self))
        size = shape_of(self)[dim]
        first = wrap_dim(start, size) if start != size else start
        if first > size - length:
            raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({size}).")
        return Spec(tuple([length if d == dim else n for d, n in enumerate(shape_of(self))]), self.dtype)

    def body(self, dim, start, length):
        spec = NarrowCopy.meta(self, dim, start, length)
        out = sized(aten.empty((0,), dtype=spec.dtype), spec.shape)
        run.copy_part(out, self, wrap_dim(dim, ndim_of(self)), start)
        return out

    def into(out, self, dim, start, length):
        run.copy_part(out, self, wrap_dim(dim, ndim_of(self)), start)

    def grad_self(grad, self_shape, dim, start, length):
        return aten.slice_backward(grad, self_shape, dim, start, start + length, 1)


class FillDiagonal(Op):
    """A number on the main diagonal; with wrap, on every one that begins below it."""

    schema = "fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)"
    variants = "method"

    def body(self, fill_value, wrap):
        shape, strides = shape_of(self), strides_of(self)
        if len(shape) < 2:
            raise RuntimeError("dimensions must larger than 1")
        if len(shape) > 2 and len(set(shape)) > 1:
            raise RuntimeError("all dimensions of input must be of equal length")
        size, step = min(shape), sum(strides)
        aten.fill_(aten.as_strided(self, (size,), (step,), offset_of(self)), fill_value)
        height, width = shape[0], shape[1]
        if len(shape) == 2 and wrap and height > width + 1:
            rest = -(-height * width // (width + 1)) - size
            below = offset_of(self) + strides[0] * (width + 1)
            aten.fill_(aten.as_strided(self, (rest,), (step,), below), fill_value)
        return self


class SumToSize(Op):
    """The sum over those dimensions that broadcasting to this shape would have made."""

    schema = "sum_to_size(Tensor self, SymInt[] size) -> Tensor"
    variants = "method"

    def body(self, size):
        shape = shape_of(self)
        beyond = len(size) > len(shape)
        if beyond or any([n not in (1, m) for n, m in zip(reversed(size), reversed(shape))]):
            raise RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(shape)}}}.")
        return sum_to(self, tuple(size)) if size else aten.sum(self)


class IsSetTo(Op):
    """Whether two tensors look at the same memory in the same way."""

    schema = "is_set_to(Tensor self, Tensor tensor) -> bool"
    variants = "method"

    def body(self, tensor):
        return (self._mt_storage is tensor._mt_storage and offset_of(self) == offset_of(tensor)
                and shape_of(self) == shape_of(tensor) and strides_of(self) == strides_of(tensor))


class EmptyPermuted(Op):
    """Memory without values, with its dimensions one inside the other in a given order."""

    schema = ("empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")

    def body(size, physical_layout, dtype, layout, device, pin_memory):
        if len(size) != len(physical_layout):
            raise RuntimeError("Number of dimensions in size does not match the length of the physical_layout; i.e. "
                               f"len(size) = {len(size)} is not equal to len(physical_layout) = {len(physical_layout)}")
        order = []
        for dim in physical_layout:
            if not 0 <= dim < len(size):
                raise RuntimeError(f"Dimension out of range (expected to be between 0 and {len(size) - 1}, but got "
                                   f"{dim} at index {len(order)}).  NB: negative dims not currently supported; file "
                                   "an issue if you want it.")
            if dim in order:
                raise RuntimeError("Duplicate dim not allowed")
            order.append(dim)
        physical = tuple([size[dim] for dim in order])
        memory = aten.empty(physical, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory)
        strides = dict(zip(order, contiguous_strides(physical)))
        return aten.as_strided(memory, size, tuple([strides[dim] for dim in range(len(size))]))


class LiftFreshCopy(Op):
    """A copy of what came from outside."""

    schema = "lift_fresh_copy(Tensor self) -> Tensor"
    internal = "torch.ops.aten"
    node = "LiftFreshBackward0_copy"

    def body(self):
        return aten.clone(aten.lift_fresh(self), memory_format=contiguous_format)

    def grad_self(grad):
        return grad


class Lift(Op):
    """The tensor itself."""

    schema = "lift(Tensor self) -> Tensor"
    internal = "torch.ops.aten"

    def view(self):
        return self

    def grad_self(grad):
        return grad
