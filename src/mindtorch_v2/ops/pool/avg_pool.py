# cython: annotation_typing=False
"""The mean of each window."""

from __future__ import annotations

from functools import lru_cache

from ...core.dtype import FLOATING, int64
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.layout import in_order
from . import windows

_ONCE = (1, 1, 1)  # windows without gaps


class AvgPool1d(Op):
    """The mean of windows over the last dimension, by way of two."""

    schema = ("avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, "
              "bool count_include_pad=True) -> Tensor")

    def body(self, kernel_size, stride, padding, ceil_mode, count_include_pad):
        windows.check_rows("avg_pool1d", self)
        k, s, p = [windows.check_one("avg_pool1d", name, given) for name, given in
                   (("kernel_size", kernel_size), ("stride", stride or kernel_size), ("padding", padding))]
        out = aten.avg_pool2d(aten.unsqueeze(self, -2), (1, k), (1, s), (0, p), ceil_mode, count_include_pad)
        return aten.squeeze(out, -2)


@lru_cache  # a program has few windows and sizes, and calls them often
def _window(rank: int, kernel_size, stride, padding) -> tuple:
    op, either = f"avg_pool{rank}d", rank == 2
    kernel = windows.each_dimension(op, "kernel_size", kernel_size, rank, either)
    return (kernel, windows.stride_of(op, stride, kernel, rank, either),
            windows.each_dimension(op, "padding", padding, rank, either))


def _check_divisor(divisor_override) -> None:
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")


@lru_cache
def _outputs_2d(shape, window, ceil_mode) -> tuple:
    """The shape of the results."""
    kernel, stride, padding = window
    wrap_dim(-3, len(shape))
    outputs = (*shape[:-2], *windows.output_sizes(shape[-2:], kernel, padding, stride, _ONCE, ceil_mode))
    windows.check_window(2, kernel, stride, _ONCE)
    windows.check_planes_2d(shape, kernel, padding)
    windows.check_output(2, shape[-3:], outputs[-3:])
    return outputs


@lru_cache
def _outputs_3d(op: str, shape, window, ceil_mode) -> tuple:
    kernel, stride, padding = window
    outputs = (*shape[:-3], *windows.output_sizes(shape[-3:], kernel, padding, stride, _ONCE, ceil_mode))
    windows.check_window(3, kernel, stride, _ONCE)
    windows.check_planes_3d(op, shape, kernel, padding, whole=True)
    windows.check_output(3, shape[-4:], outputs[-4:])
    return outputs


class AvgPool2d(Op):
    """The mean of windows over the last two dimensions."""

    schema = ("avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, "
              "bool count_include_pad=True, int? divisor_override=None) -> Tensor")
    internal = "torch.nn.functional"
    node = "AvgPool2DBackward0"
    variants = "out"
    overlap = "shares_inputs"

    def meta(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        window = _window(2, kernel_size, stride, padding)
        _check_divisor(divisor_override)
        return windows.planes_spec(self, _outputs_2d(shape_of(self), window, ceil_mode))

    def into(out, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        if self.dtype.category != FLOATING and self.dtype is not int64:
            raise not_implemented("avg_pool2d", self.dtype)
        run.avg_pool(out, windows.in_planes(self), *_window(2, kernel_size, stride, padding), count_include_pad,
                     divisor_override or 0)

    def grad_self(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return aten.avg_pool2d_backward(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                        divisor_override)


class AvgPool2dBackward(Op):
    """Each gradient shared out among the elements of its window."""

    schema = ("avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, "
              "bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor")
    internal = "a derivative"
    node = "AvgPool2DBackwardBackward0"

    def meta(grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        window = _window(2, kernel_size, stride, padding)
        _check_divisor(divisor_override)
        windows.check_dims(grad_output, _outputs_2d(shape_of(self), window, ceil_mode))
        return windows.planes_spec(self, shape_of(self))

    def into(out, grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        windows.check_same_type(grad_output, self)
        aten.zero_(out)
        run.avg_pool_backward(out, windows.in_planes(grad_output), *_window(2, kernel_size, stride, padding),
                              count_include_pad, divisor_override or 0)

    def grad_grad_output(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return aten.avg_pool2d(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def grad_self(self_shape, self_dtype):
        return aten.zeros(self_shape, dtype=self_dtype)


class AvgPool3d(Op):
    """The mean of windows over the last three dimensions."""

    schema = ("avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, "
              "bool count_include_pad=True, int? divisor_override=None) -> Tensor")
    internal = "torch.nn.functional"
    node = "AvgPool3DBackward0"
    variants = "out"
    overlap = "expanded_out shares_inputs"

    def meta(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        window = _window(3, kernel_size, stride, padding)
        _check_divisor(divisor_override)
        if ndim_of(self) not in (4, 5):
            raise RuntimeError("non-empty 4D or 5D (batch mode) tensor expected for input")
        return Spec(_outputs_3d("avg_pool3d", shape_of(self), window, ceil_mode), self.dtype)

    def into(out, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        x = in_order(self)
        _check_volume_type("avg_pool3d_out_frame", self)
        run.avg_pool(out, x, *_window(3, kernel_size, stride, padding), count_include_pad, divisor_override or 0)

    def grad_self(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return aten.avg_pool3d_backward(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                                        divisor_override)


def _check_volume_type(kernel: str, self) -> None:
    """torch has this one for whole floats and int64 only."""
    if self.dtype is not int64 and (self.dtype.category != FLOATING or self.dtype.itemsize == 2):
        raise not_implemented(kernel, self.dtype)


class AvgPool3dBackward(Op):
    """Each gradient shared out among the elements of its window."""

    schema = ("avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, "
              "bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor")
    internal = "a derivative"
    node = "AvgPool3DBackwardBackward0"

    def meta(grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        window = _window(3, kernel_size, stride, padding)
        _check_divisor(divisor_override)
        windows.check_dims(grad_output, _outputs_3d("avg_pool3d_backward", shape_of(self), window, ceil_mode))
        return Spec(shape_of(self), self.dtype)

    def into(out, grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        grad = in_order(grad_output)
        aten.zero_(out)
        _check_volume_type("avg_pool3d_backward_out_frame", self)
        run.avg_pool_backward(out, grad, *_window(3, kernel_size, stride, padding), count_include_pad,
                              divisor_override or 0)

    def grad_grad_output(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        return aten.avg_pool3d(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def grad_self(self_shape, self_dtype):
        return aten.zeros(self_shape, dtype=self_dtype)
