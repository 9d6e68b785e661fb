# cython: annotation_typing=False
"""The input shared out among a given number of outputs: the mean of each share, or its largest element."""

from __future__ import annotations

from ...core.dtype import int64
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op, declare
from ...opdef.rules import Spec, c_name
from ..shared.layout import IN_ORDER, in_order
from . import windows


class AdaptiveAvgPool1d(Op):
    """So many means over the last dimension, by way of two."""

    schema = "adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor"

    def body(self, output_size):
        windows.check_rows("adaptive_avg_pool1d", self)
        count = windows.check_one("adaptive_avg_pool1d", "output_size", output_size)
        return aten.squeeze(aten.adaptive_avg_pool2d(aten.unsqueeze(self, -2), (1, count)), -2)


def _check_counts(rank: int, output_size) -> None:
    if len(output_size) != rank:
        raise RuntimeError(f"adaptive_avg_pool{rank}d: output_size must be {rank}")
    if min(output_size) < 0:
        shown = ", ".join(map(str, output_size[:2])) + "".join([f",{n}" for n in output_size[2:]])
        raise RuntimeError(f"adaptive_avg_pool{rank}d: elements of output_size must be greater than or equal to 0 but "
                           f"received {{{shown}}}")


class AdaptiveAvgPool2d(Op):
    """So many means over the last two dimensions; one of them all is a mean like any other."""

    schema = "adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor"
    internal = "torch.nn.functional"

    def body(self, output_size):
        _check_counts(2, output_size)
        if tuple(output_size) != (1, 1):
            return aten._adaptive_avg_pool2d(self, output_size)
        mean = aten.mean(self, (-1, -2), True)
        if windows.memory_format_of(self) is not None:
            n, c = shape_of(self)[:2]
            aten.as_strided_(mean, (n, c, 1, 1), (c, 1, c, c))
        return mean


class AdaptiveAvgPool3d(Op):
    """So many means over the last three dimensions; one of them all is a mean like any other."""

    schema = "adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor"
    internal = "torch.nn.functional"

    def body(self, output_size):
        _check_counts(3, output_size)
        if tuple(output_size) != (1, 1, 1):
            return aten._adaptive_avg_pool3d(self, output_size)
        mean = aten.mean(self, (-1, -2, -3), True)
        if windows.memory_format_of(self) is not None:
            n, c = shape_of(self)[:2]
            aten.as_strided_(mean, (n, c, 1, 1, 1), (c, 1, c, c, c))
        return mean


def _check_shares(op: str, self, rank: int, first: int, colon: str = "") -> None:
    """Planes, one or a batch of them, that have something to share out."""
    ndim = ndim_of(self)
    if ndim not in (rank + 1, rank + 2):
        raise RuntimeError(f"{op}(): Expected {rank + 1}D or {rank + 2}D tensor, but got{colon} "
                           f"{list(shape_of(self))}")
    for dim in range(first, 0):
        if shape_of(self)[dim] == 0:
            raise RuntimeError(f"{op}(): Expected input to have non-zero size for non-batch dimensions, but input has "
                               f"sizes {list(shape_of(self))} with dimension {ndim + dim} being empty")


class AdaptiveAvgPool2dInner(Op):
    """The work of adaptive_avg_pool2d."""

    schema = "_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor"
    node = "AdaptiveAvgPool2DBackward0"
    kernel_types = "adaptive_avg_pool2d: floating"

    def meta(self, output_size):
        if len(output_size) != 2:
            raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
        _check_shares("adaptive_avg_pool2d", self, 2, -2)
        return windows.planes_spec(self, (*shape_of(self)[:-2], *output_size))

    def body(self, output_size):
        out = aten.empty((0,), dtype=self.dtype)
        aten.resize_(out, (*shape_of(self)[:-2], *output_size), memory_format=windows.memory_format_of(self))
        run.adaptive_avg_pool(out, windows.in_planes(self), 2)
        return out

    def grad_self(grad, self):
        return aten._adaptive_avg_pool2d_backward(grad, self)


def _check_gradient(name: str, grad_output, self, word: str) -> None:
    """A gradient as the input is: of its type, with its dimensions, none of them empty."""
    template = f"adaptive_{name}_backward_out_cpu_template"
    if grad_output.dtype is not self.dtype:
        raise RuntimeError(f"{template}: Expected dtype {c_name(self.dtype)} for `{word}` but got dtype "
                           f"{c_name(grad_output.dtype)}")


def _check_ranks(name: str, grad_output, self, word: str) -> None:
    if ndim_of(grad_output) != ndim_of(self):
        raise RuntimeError(f"adaptive_{name}_backward_out_cpu_template: Expected dimensions {ndim_of(self)} for "
                           f"`{word}` but got dimensions {ndim_of(grad_output)}")


def _check_filled(op: str, grad_output) -> None:
    for dim in range(1, ndim_of(grad_output)):
        if shape_of(grad_output)[dim] == 0:
            raise RuntimeError(f"{op}(): Expected grad_output to have non-zero size for non-batch dimensions, but "
                               f"grad_output has sizes {list(shape_of(grad_output))} with dimension {dim} being empty")


class AdaptiveAvgPool2dBackward(Op):
    """Each gradient shared out among the elements of its share."""

    schema = "_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor"
    node = "AdaptiveAvgPool2DBackwardBackward0"
    internal = "a derivative"

    def meta(grad_output, self):
        _check_ranks("avg_pool2d", grad_output, self, "grad_output")
        _check_filled("adaptive_avg_pool2d_backward", grad_output)
        _check_gradient("avg_pool2d", grad_output, self, "grad_output")
        return windows.planes_spec(self, shape_of(self))

    def body(grad_output, self):
        out = aten.empty((0,), dtype=self.dtype)
        aten.zero_(aten.resize_(out, shape_of(self), memory_format=windows.memory_format_of(self)))
        run.adaptive_avg_pool_backward(out, windows.in_planes(grad_output), 2)
        return out

    def grad_grad_output(grad, grad_output_shape):
        return aten._adaptive_avg_pool2d(grad, grad_output_shape[-2:])

    def grad_self(self_shape, self_dtype):
        return aten.zeros(self_shape, dtype=self_dtype)


class AdaptiveAvgPool3dInner(Op):
    """The work of adaptive_avg_pool3d."""

    schema = "_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor"
    node = "AdaptiveAvgPool3DBackward0"
    kernel_types = "adaptive_avg_pool3d_cpu: floating"

    def meta(self, output_size):
        if len(output_size) != 3:
            raise RuntimeError("adaptive_avg_pool3d: output_size must be 3")
        _check_shares("adaptive_avg_pool3d", self, 3, 1 - ndim_of(self))
        return Spec((*shape_of(self)[:-3], *output_size), self.dtype)

    def body(self, output_size):
        out = aten.empty((0,), dtype=self.dtype)
        aten.resize_(out, (*shape_of(self)[:-3], *output_size))
        run.adaptive_avg_pool(out, self, 3)
        return out

    def grad_self(grad, self):
        return aten._adaptive_avg_pool3d_backward(grad, self)


class AdaptiveAvgPool3dBackward(Op):
    """Each gradient shared out among the elements of its share."""

    schema = "_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor"
    node = "AdaptiveAvgPool3DBackwardBackward0"
    internal = "a derivative"

    def meta(grad_output, self):
        _check_ranks("avg_pool3d", grad_output, self, "gradOutput_")
        _check_filled("adaptive_avg_pool3d_backward", grad_output)
        return Spec(shape_of(self), self.dtype)

    def body(grad_output, self):
        out = aten.zeros_like(self, memory_format=IN_ORDER)
        run.adaptive_avg_pool_backward(out, in_order(grad_output), 3)
        return out

    def grad_grad_output(grad, grad_output_shape):
        return aten._adaptive_avg_pool3d(grad, grad_output_shape[-3:])

    def grad_self(self_shape, self_dtype):
        return aten.zeros(self_shape, dtype=self_dtype)


class AdaptiveMaxPool1d(Op):
    """So many largest elements over the last dimension, by way of two."""

    schema = "adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)"

    def body(self, output_size):
        windows.check_rows("adaptive_max_pool1d", self)
        count = windows.check_one("adaptive_max_pool1d", "output_size", output_size)
        _check_shares("adaptive_max_pool1d", self, 1, 1 - ndim_of(self), ":")
        out, at = aten.adaptive_max_pool2d(aten.unsqueeze(self, -2), (1, count))
        return aten.squeeze(out, -2), aten.squeeze(at, -2)


def _max_specs(rank: int, self, output_size) -> tuple:
    op = f"adaptive_max_pool{rank}d"
    _check_shares(op, self, rank, 1 - ndim_of(self), ":")
    if len(output_size) != rank:
        raise RuntimeError(f"{op}(): internal error: output_size.size() must be {rank}")
    shape = (*shape_of(self)[:-rank], *output_size)
    if min(output_size) < 0:
        negative = next(n for n in output_size if n < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {negative}: {list(shape)}")
    return windows.planes_spec(self, shape), windows.planes_spec(self, shape, int64)


class AdaptiveMaxPool2d(Op):
    """So many largest elements over the last two dimensions, and their positions."""

    schema = "adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)"
    internal = "torch.nn.functional"
    node = "AdaptiveMaxPool2DBackward0"
    kernel_types = "adaptive_max_pool2d: floating"
    no_grad_for = "result1"

    def meta(self, output_size):
        return _max_specs(2, self, output_size)

    def into(out, indices, self, output_size):
        run.adaptive_max_pool(out, indices, windows.in_planes(self), 2)

    def grad_self(grads, self, result1):
        return aten.adaptive_max_pool2d_backward(grads[0], self, result1)


class AdaptiveMaxPool3d(Op):
    """So many largest elements over the last three dimensions, and their positions."""

    schema = "adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)"
    internal = "torch.nn.functional"
    node = "AdaptiveMaxPool3DBackward0"
    kernel_types = "adaptive_max_pool3d_cpu: floating"
    no_grad_for = "result1"

    def meta(self, output_size):
        out, indices = _max_specs(3, self, output_size)
        return Spec(out.shape, out.dtype), Spec(indices.shape, int64)

    def into(out, indices, self, output_size):
        run.adaptive_max_pool(out, indices, self, 3)

    def grad_self(grads, self, result1):
        return aten.adaptive_max_pool3d_backward(grads[0], self, result1)


def _declare_max_backward(rank: int) -> None:
    """Each gradient goes to the element that was the largest."""
    op = f"adaptive_max_pool{rank}d_backward"

    def meta(grad_output, self, indices):
        _check_filled(op, grad_output)
        if ndim_of(grad_output) not in (rank + 1, rank + 2):
            raise RuntimeError(f"adaptive_max_pooling{rank}d_backward(): Expected {rank + 1}D or {rank + 2}D "
                               f"grad_output, but got: {list(shape_of(grad_output))}")
        if grad_output.dtype is not self.dtype:
            raise RuntimeError(f"expected dtype {c_name(self.dtype)} for `grad_output` but got dtype "
                               f"{c_name(grad_output.dtype)}")
        return windows.planes_spec(self, shape_of(self)) if rank == 2 else Spec(shape_of(self), self.dtype)

    def into(out, grad_output, self, indices):
        if rank == 3:
            grad, at = in_order(grad_output), indices
            aten.zero_(out)
        else:
            aten.zero_(out)
            grad, at = windows.in_planes(grad_output), windows.in_planes(indices)
        run.max_pool_backward(out, grad, at, rank)

    declare(
        f"{op}(Tensor grad_output, Tensor self, Tensor indices) -> Tensor", "Gradients of the largest elements.",
        meta=meta, into=into, internal="a derivative", node=f"AdaptiveMaxPool{rank}DBackwardBackward0",
        grad_grad_output=lambda grad, indices: windows.picked(grad, indices, rank),
        grad_self=lambda self_shape, self_dtype: aten.zeros(self_shape, dtype=self_dtype))


for _rank in (2, 3):
    _declare_max_backward(_rank)


class AdaptiveAvgPool3dBackwardInto(Op):
    """The gradient of adaptive_avg_pool3d in a given tensor."""

    schema = ("adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) -> "
              "Tensor(a!)")
    internal = "torch.ops.aten"
    below = "writes its result itself"

    def body(grad_output, self, grad_input):
        gradient = aten._adaptive_avg_pool3d_backward(grad_output, self)
        return aten.copy_(resize_output(grad_input, shape_of(gradient)), gradient)
