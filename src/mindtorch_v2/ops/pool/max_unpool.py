"""Unpooling: elements put where the largest ones were."""

from __future__ import annotations

from ...core.dtype import int64
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.layout import in_order
from . import windows


def _check_unpool(rank: int, self, indices, output_size) -> None:
    names = "(height, width)" if rank == 2 else "(depth, height, width)"
    if indices.dtype is not int64:
        shown = f" but got: {indices.dtype.short}" if rank == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{shown}")
    if ndim_of(self) not in (rank + 1, rank + 2):
        raise RuntimeError(f"Input to max_unpooling{rank}d should be a {rank + 1}d or {rank + 2}d Tensor, but got a "
                           f"tensor with {ndim_of(self)} dimensions.")
    if len(output_size) != rank:
        count = "two" if rank == 2 else "three"
        raise RuntimeError(f"There should be exactly {count} elements {names} in output_size, but got "
                           f"{len(output_size)} elements.")


def _check_unpool_shape(rank: int, self, indices) -> None:
    shape = shape_of(self)
    if shape != shape_of(indices):
        raise RuntimeError("Expected shape of indices to be same as that of the input tensor "
                           f"({list(shape)}) but got indices tensor with shape: {list(shape_of(indices))}")
    for dim in range(1, len(shape)):
        if shape[dim] == 0:
            raise RuntimeError(f"max_unpooling{rank}d_forward_out_cpu(): Expected input to have non-zero size for "
                               f"non-batch dimensions, but got {list(shape)} with dimension {dim} being empty.")


def _unpooled(rank: int, self, indices, output_size):
    out, shape = aten.empty((0,), dtype=self.dtype), (*shape_of(self)[:-rank], *output_size)
    placed = windows.memory_format_of(self) if rank == 2 else None
    x, at = (windows.in_planes(self), windows.in_planes(indices)) if rank == 2 else (in_order(self), in_order(indices))
    aten.zero_(aten.resize_(out, shape, memory_format=placed))
    run.max_unpool_checked(out, x, at, rank)
    return out


class MaxUnpool2d(Op):
    """Each element put where the largest one was, zero elsewhere."""

    schema = "max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor"
    internal = "torch.nn.functional"
    node = "MaxUnpool2DBackward0"
    kernel_types = "max_unpool2d: floating"

    def meta(self, indices, output_size):
        _check_unpool(2, self, indices, output_size)
        _check_unpool_shape(2, self, indices)
        return windows.planes_spec(self, (*shape_of(self)[:-2], *output_size))

    def body(self, indices, output_size):
        return _unpooled(2, self, indices, output_size)

    def grad_self(grad, indices):
        return windows.picked(grad, indices, 2)


class MaxUnpool3d(Op):
    """Each element put where the largest one was, zero elsewhere."""

    schema = ("max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> "
              "Tensor")
    internal = "torch.nn.functional"
    node = "MaxUnpool3DBackward0"
    kernel_types = "max_unpool3d: floating"

    def meta(self, indices, output_size, stride, padding):
        _check_unpool(3, self, indices, output_size)
        for name, given in (("stride", stride), ("padding", padding)):
            if len(given) != 3:
                raise RuntimeError(f"There should be exactly three elements (depth, height, width) in {name}, but got: "
                                   f"{len(given)} elements.")
        if min(stride) <= 0:
            raise RuntimeError(f"strides should be greater than zero, but got stride: {list(stride)}")
        _check_unpool_shape(3, self, indices)
        return Spec((*shape_of(self)[:-3], *output_size), self.dtype)

    def body(self, indices, output_size, stride, padding):
        return _unpooled(3, self, indices, output_size)

    def grad_self(grad, indices):
        return windows.picked(grad, indices, 3)
