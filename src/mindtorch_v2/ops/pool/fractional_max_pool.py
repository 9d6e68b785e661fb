"""The largest elements of windows that begin where random numbers put them."""

from __future__ import annotations

from ...core.dtype import int64
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import declare
from ...opdef.rules import Spec
from ..shared.layout import in_order
from ..shared.not_differentiable import constant
from . import windows

_DIMENSIONS = {2: ("height", "width"), 3: ("time", "height", "width")}


def _check_samples(self, random_samples, rank: int) -> None:
    """As many numbers for each plane as it has dimensions."""
    shape, planes = shape_of(random_samples), shape_of(self)
    if random_samples.dtype is not self.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    if len(shape) != 3:
        raise RuntimeError(f"Expect _random_samples to have 3 dimensions, got {len(shape)}")
    batch = planes[0] if len(planes) == rank + 2 else 1
    if shape[0] < batch:
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if shape[1] != planes[-rank - 1]:
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if shape[2] != rank:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {rank}; got {shape[2]}.")


def _fractional_specs(rank: int, self, kernel_size, output_size, random_samples) -> tuple:
    op, ints = f"fractional_max_pool{rank}d", "Ints" if rank == 2 else "three Ints"
    for name, given in (("kernel_size", kernel_size), ("output_size", output_size)):
        if len(given) != rank:
            raise RuntimeError(f"{op}: {name} must either be a single Int or tuple of {ints}")
    op, shape = op if rank == 2 else f"{op}_out", shape_of(self)
    if len(shape) not in (rank + 1, rank + 2):
        raise RuntimeError(f"{op}(): Expected {rank + 1}D or {rank + 2}D tensor, but got: {list(shape)}")
    for dim in range(1 - len(shape), 0):
        if shape[dim] == 0:
            raise RuntimeError(f"{op}(): Expected input to have non-zero size for non-batch dimensions, but got"
                               f"{list(shape)} with dimension {len(shape) + dim} being empty.")
    for name, size, kernel, count in zip(_DIMENSIONS[rank], shape[-rank:], kernel_size, output_size):
        if count + kernel - 1 > size:
            raise RuntimeError(f"{op}(): pool {name} {kernel} too large relative to input {name} {size}")
    _check_samples(self, random_samples, rank)
    outputs = (*shape[:-rank], *output_size)
    return Spec(outputs, self.dtype), Spec(outputs, int64)


def _declare_fractional(rank: int) -> None:
    name, sizes = f"fractional_max_pool{rank}d", f"int[{rank}] kernel_size, int[{rank}] output_size"

    def meta(self, kernel_size, output_size, random_samples):
        constant(name, "random_samples", random_samples)
        return _fractional_specs(rank, self, kernel_size, output_size, random_samples)

    def into(out, indices, self, kernel_size, output_size, random_samples):
        x, batch = in_order(self), shape_of(self)[0] if ndim_of(self) == rank + 2 else 1
        run.fractional_max_pool(out, indices, x, random_samples, tuple(kernel_size), batch)

    def backward_meta(grad_output, self, kernel_size, output_size, indices):
        return Spec(shape_of(self), self.dtype)

    def backward(out, grad_output, self, kernel_size, output_size, indices):
        grad = in_order(grad_output)
        run.max_pool_backward(aten.zero_(out), grad, in_order(indices), rank)

    def backward_3d(grad_output, self, kernel_size, output_size, indices):
        out = aten.zero_(aten.resize_as_(aten.empty((0,), dtype=self.dtype), self))
        run.max_pool_backward(out, in_order(grad_output), in_order(indices), rank)
        return out

    def grad_self(grads, self, kernel_size, output_size, result1):
        return getattr(aten, f"{name}_backward")(grads[0], self, kernel_size, output_size, result1)

    node = f"FractionalMaxPool{rank}DBackward"
    declare(f"{name}(Tensor self, {sizes}, Tensor random_samples) -> (Tensor, Tensor)",
            f"The largest elements of windows over the last {rank} dimensions, and their positions.",
            meta=meta, into=into, grad_self=grad_self, node=f"{node}0", no_grad_for="result1",
            internal="torch.nn.functional", kernel_types=f"{name}_out_frame: floating")
    declare(f"{name}_backward(Tensor grad_output, Tensor self, {sizes}, Tensor indices) -> Tensor",
            f"The gradient of {name}().", meta=backward_meta, node=f"{node}Backward0", internal="a derivative",
            **({"into": backward} if rank == 2 else {"body": backward_3d}),
            grad_grad_output=lambda grad, indices: windows.picked(grad, indices, rank),
            grad_self=lambda self_shape, self_dtype: aten.zeros(self_shape, dtype=self_dtype))


for _rank in (2, 3):
    _declare_fractional(_rank)
