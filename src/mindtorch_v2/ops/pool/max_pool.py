# cython: annotation_typing=False
"""The largest element of each window, and where it lies."""

from __future__ import annotations

from functools import lru_cache

from ...autograd.tangents import is_differentiated
from ...core.dtype import int64
from ...core.tensor import ndim_of, shape_of
from ...devices.facts import offers
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import KernelTypes
from ..shared.layout import in_order
from . import windows

_SIZES = "int[{0}] kernel_size, int[{0}] stride={1}, int[{0}] padding={2}, int[{0}] dilation={3}, bool ceil_mode=False"
_FLOATS = KernelTypes("max_pool1d_impl: floating")


def _one_window(self, kernel_size, stride, padding, dilation, ceil_mode) -> tuple:
    """(kernel, stride, padding, dilation, outputs) of a window over signals."""
    shape = shape_of(self)
    if len(shape) not in (2, 3) or 0 in shape[len(shape) - 2:]:
        raise RuntimeError("max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
                           f"input, but got:{list(shape)}")
    for name, given, says in (("kernel_size", kernel_size, "an int, list of ints or tuple"),
                              ("stride", stride or kernel_size, "None, an int, list of ints, or tuple"),
                              ("padding", padding, "an int, list of ints, or tuple"),
                              ("dilation", dilation, "an int, list of ints or tuple")):
        if len(given) != 1:
            raise RuntimeError(f"max_pool1d() {name} must be {says} of ints of size 1 but got size {len(given)}")
    (k,), (s,), (p,), (d,) = kernel_size, stride or kernel_size, padding, dilation
    for name, number in (("kernel_size", k), ("stride", s)):
        if number <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {number}")
    if p < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {p}")
    if p > k // 2:
        raise RuntimeError(f"max_pool1d() padding should be at most half of kernel size, but got padding={p} and "
                           f"kernel_size={k}")
    if d <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {d}")
    outputs = windows.output_size(shape[-1], k, p, s, d, ceil_mode)
    if outputs <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {outputs}")
    return (k,), (s,), (p,), (d,), outputs


class MaxPool1d(Op):
    """The largest element of windows over the last dimension; positions are found only where somebody goes back."""

    schema = f"max_pool1d(Tensor self, {_SIZES.format(1, '[]', '[0]', '[1]')}) -> Tensor"

    def body(self, kernel_size, stride, padding, dilation, ceil_mode):
        kernel, step, pad, spread, outputs = _one_window(self, kernel_size, stride, padding, dilation, ceil_mode)
        if is_differentiated(self) or not offers(self, "max_pool_values"):
            return aten.max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]
        alone = ndim_of(self) == 2
        out = aten.empty((*((1,) if alone else ()), *shape_of(self)[:-1], outputs), dtype=self.dtype)
        x = in_order(self)
        _FLOATS.check(self.dtype)
        run.max_pool_values(out, x, kernel, step, pad, spread)
        return aten.squeeze_(out, 0) if alone else out


class MaxPool1dWithIndices(Op):
    """The same by way of two dimensions."""

    schema = f"max_pool1d_with_indices(Tensor self, {_SIZES.format(1, '[]', '[0]', '[1]')}) -> (Tensor, Tensor)"

    def body(self, kernel_size, stride, padding, dilation, ceil_mode):
        windows.check_rows("max_pool1d", self)
        k, s, p, d = [windows.check_one("max_pool1d", name, given) for name, given in
                      (("kernel_size", kernel_size), ("stride", stride or kernel_size), ("padding", padding),
                       ("dilation", dilation))]
        out, at = aten.max_pool2d_with_indices(aten.unsqueeze(self, -2), (1, k), (1, s), (0, p), (1, d), ceil_mode)
        return aten.squeeze(out, -2), aten.squeeze(at, -2)


class MaxPool2d(Op):
    """The largest element of windows over the last two dimensions."""

    schema = f"max_pool2d(Tensor self, {_SIZES.format(2, '[]', 0, 1)}) -> Tensor"

    def body(self, kernel_size, stride, padding, dilation, ceil_mode):
        return aten.max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]


class MaxPool3d(Op):
    """The largest element of windows over the last three dimensions."""

    schema = f"max_pool3d(Tensor self, {_SIZES.format(3, '[]', 0, 1)}) -> Tensor"

    def body(self, kernel_size, stride, padding, dilation, ceil_mode):
        return aten.max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]


@lru_cache  # a program has few windows and sizes, and calls them often
def _window(rank: int, kernel_size, stride, padding, dilation) -> tuple:
    op = f"max_pool{rank}d"
    kernel = windows.each_dimension(op, "kernel_size", kernel_size, rank)
    step = windows.stride_of(op, stride, kernel, rank)
    return (kernel, step, windows.each_dimension(op, "padding", padding, rank),
            windows.each_dimension(op, "dilation", dilation, rank, first="be either"))


@lru_cache
def _outputs_2d(shape, window, ceil_mode) -> tuple:
    """The shape of the results."""
    kernel, stride, padding, dilation = window
    outputs = (*shape[:-2], *windows.output_sizes(shape[-2:], kernel, padding, stride, dilation, ceil_mode))
    windows.check_window(2, kernel, stride, dilation)
    windows.check_planes_2d(shape, kernel, padding)
    windows.check_output(2, shape[-3:], outputs[-3:])
    return outputs


@lru_cache
def _outputs_3d(op: str, shape, window, ceil_mode) -> tuple:
    kernel, stride, padding, dilation = window
    outputs = (*shape[:-3], *windows.output_sizes(shape[-3:], kernel, padding, stride, dilation, ceil_mode))
    windows.check_window(3, kernel, stride, dilation)
    windows.check_planes_3d(op, shape, kernel, padding, whole=False)
    windows.check_output(3, shape[-4:], outputs[-4:])
    return outputs


class MaxPool2dWithIndices(Op):
    """The largest element of windows over the last two dimensions, and its position in the plane."""

    schema = f"max_pool2d_with_indices(Tensor self, {_SIZES.format(2, '[]', 0, 1)}) -> (Tensor, Tensor)"
    internal = "torch.nn.functional"
    node = "MaxPool2DWithIndicesBackward0"
    kernel_types = "max_pool2d: integral floating"
    no_grad_for = "result1"

    def meta(self, kernel_size, stride, padding, dilation, ceil_mode):
        window = _window(2, kernel_size, stride, padding, dilation)
        if ndim_of(self) not in (3, 4):
            raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
        shape = _outputs_2d(shape_of(self), window, ceil_mode)
        return windows.planes_spec(self, shape), windows.planes_spec(self, shape, int64)

    def into(out, indices, self, kernel_size, stride, padding, dilation, ceil_mode):
        run.max_pool(out, indices, windows.in_planes(self), *_window(2, kernel_size, stride, padding, dilation))

    def grad_self(grads, self, kernel_size, stride, padding, dilation, ceil_mode, result1):
        return aten.max_pool2d_with_indices_backward(grads[0], self, kernel_size, stride, padding, dilation, ceil_mode,
                                                     result1)


class MaxPool2dWithIndicesBackward(Op):
    """Each gradient goes to the element that was the largest."""

    schema = ("max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, "
              "int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor")
    internal = "a derivative"
    node = "MaxPool2DWithIndicesBackwardBackward0"

    def meta(grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices):
        windows.check_same_type(grad_output, self)
        outputs = _outputs_2d(shape_of(self), _window(2, kernel_size, stride, padding, dilation), ceil_mode)
        for tensor in (grad_output, indices):
            windows.check_dims(tensor, outputs)
        return windows.planes_spec(self, shape_of(self))

    def into(out, grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices):
        aten.zero_(out)
        grad, at = windows.in_planes(grad_output), windows.in_planes(indices)
        if at.dtype is not int64:
            raise RuntimeError(f"expected scalar type Long but found {at.dtype.short}")
        run.max_pool_backward(out, grad, at, 2)

    def grad_grad_output(grad, indices):
        return windows.picked(grad, indices, 2)

    def grad_self(self_shape, self_dtype):
        return aten.zeros(self_shape, dtype=self_dtype)


def _in_volumes(self):
    """The tensor in order; torch looks at one film as at a batch of it, which shows."""
    if ndim_of(self) == 4:
        aten.unsqueeze(self, 0)
    return windows.in_planes(self)


class MaxPool3dWithIndices(Op):
    """The largest element of windows over the last three dimensions, and its position in the volume."""

    schema = f"max_pool3d_with_indices(Tensor self, {_SIZES.format(3, '[]', 0, 1)}) -> (Tensor, Tensor)"
    internal = "torch.nn.functional"
    node = "MaxPool3DWithIndicesBackward0"
    kernel_types = "max_pool3d: integral floating"
    no_grad_for = "result1"

    def meta(self, kernel_size, stride, padding, dilation, ceil_mode):
        window = _window(3, kernel_size, stride, padding, dilation)
        if ndim_of(self) not in (4, 5):
            raise RuntimeError("non-empty 4D or 5D (batch mode) tensor expected for input")
        shape = _outputs_3d("max_pool3d_with_indices_out_cpu_template", shape_of(self), window, ceil_mode)
        return windows.planes_spec(self, shape), windows.planes_spec(self, shape, int64)

    def body(self, kernel_size, stride, padding, dilation, ceil_mode):
        out, indices = aten.empty((0,), dtype=self.dtype), aten.empty((0,), dtype=int64)
        window = _window(3, kernel_size, stride, padding, dilation)
        shape, placed = _outputs_3d("", shape_of(self), window, ceil_mode), windows.memory_format_of(self)
        aten.resize_(out, shape, memory_format=placed)
        aten.resize_(indices, shape, memory_format=placed)
        x = _in_volumes(self)
        run.max_pool(out, indices, x, *window)
        return out, indices

    def grad_self(grads, self, kernel_size, stride, padding, dilation, ceil_mode, result1):
        return aten.max_pool3d_with_indices_backward(grads[0], self, kernel_size, stride, padding, dilation, ceil_mode,
                                                     result1)


class MaxPool3dWithIndicesBackward(Op):
    """Each gradient goes to the element that was the largest."""

    schema = ("max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, "
              "int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor")
    internal = "a derivative"
    node = "MaxPool3DWithIndicesBackwardBackward0"

    def meta(grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices):
        _outputs_3d("max_pool3d_with_indices_backward_out_cpu_template", shape_of(self),
                    _window(3, kernel_size, stride, padding, dilation), ceil_mode)
        windows.check_dims(indices, shape_of(grad_output))
        return windows.planes_spec(self, shape_of(self))

    def body(grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices):
        out = aten.empty((0,), dtype=self.dtype)
        aten.zero_(aten.resize_(out, shape_of(self), memory_format=windows.memory_format_of(self)))
        grad, at = _in_volumes(grad_output), windows.in_planes(indices)
        run.max_pool_backward(out, grad, at, 3)
        return out

    def grad_grad_output(grad, indices):
        return windows.picked(grad, indices, 3)

    def grad_self(self_shape, self_dtype):
        return aten.zeros(self_shape, dtype=self_dtype)
