# cython: annotation_typing=False
"""What a kernel sees at each position of an image as columns, and columns put back: unfold and fold."""

from __future__ import annotations

from math import prod

from ...core import dtype as dtypes
from ...core.tensor import ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.layout import IN_ORDER, in_order

_AXES = ("height", "width")


def check_counts(rank: int, **given) -> None:
    """A number for every dimension, in the order in which torch looks at them."""
    for name, values in given.items():
        if len(values) != rank:
            raise RuntimeError(f"It is expected {name} equals to {rank}, but got size {len(values)}")


def _check_steps(kernel_size, dilation, padding, stride) -> None:
    check_counts(len(_AXES), kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)
    for name, short, values, least in (("kernel size", "kernel", kernel_size, 1), ("dilation", "dilation", dilation, 1),
                                       ("padding", "pad", padding, 0), ("stride", "stride", stride, 1)):
        if min(values) < least:
            said = " ".join(f"{short}_{axis}: {value}" for axis, value in zip(_AXES, values))
            raise RuntimeError(f"{name} should be {'greater than zero' if least else 'non-negative'}, but got {said}")


def _positions(size, kernel_size, dilation, padding, stride) -> tuple[int, ...]:
    return tuple([(n + 2 * p - d * (k - 1) - 1) // s + 1
                  for n, k, d, p, s in zip(size, kernel_size, dilation, padding, stride)])


def _pair(values) -> str:
    return f"({values[0]}, {values[1]})"


def _columns_of(shape, kernel_size, dilation, padding, stride) -> tuple[int, ...]:
    """The shape of an image's columns."""
    _check_steps(kernel_size, dilation, padding, stride)
    if len(shape) not in (3, 4) or 0 in shape[-3:]:
        raise RuntimeError("Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero "
                           f"dimensions for input, but got: {list(shape)}")
    positions = _positions(shape[-2:], kernel_size, dilation, padding, stride)
    if min(positions) < 1:
        raise RuntimeError(f"Given input with spatial size {_pair(shape[-2:])}, kernel_size={_pair(kernel_size)}, "
                           f"dilation={_pair(dilation)}, padding={_pair(padding)}, calculated shape of the array of "
                           f"sliding blocks as {_pair(positions)}, but its components must be at least one.")
    return *shape[:-3], shape[-3] * prod(kernel_size), prod(positions)


def _image_of(shape, output_size, kernel_size, dilation, padding, stride) -> tuple[int, ...]:
    """The shape of the image that columns belong to."""
    check_counts(len(_AXES), output_size=output_size)
    _check_steps(kernel_size, dilation, padding, stride)
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError("Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero "
                           f"dimensions for input, but got: {list(shape)}")
    dim = len(shape) - 2
    if shape[dim] % prod(kernel_size):
        raise RuntimeError(f"Expected size of input's dimension {dim} to be divisible by the product of kernel_size, "
                           f"but got input.size({dim})={shape[dim]} and kernel_size={_pair(kernel_size)}.")
    high, wide = _positions(output_size, kernel_size, dilation, padding, stride)
    if shape[-1] != high * wide or high < 1 or wide < 1:
        raise RuntimeError(f"Given output_size={_pair(output_size)}, kernel_size={_pair(kernel_size)}, "
                           f"dilation={_pair(dilation)}, padding={_pair(padding)}, stride={_pair(stride)}, expected "
                           f"size of input's dimension {dim + 1} to match the calculated number of sliding blocks "
                           f"{high} * {wide} = {high * wide}, but got input.size({dim + 1})={shape[-1]}.")
    return *shape[:-2], shape[dim] // prod(kernel_size), *output_size


def _only_floats(name: str, dtype) -> None:
    if dtype.category < dtypes.FLOATING and dtype is not dtypes.bool_:
        raise not_implemented(name, dtype)


def _batched(self, ndim: int):
    return self if ndim_of(self) == ndim else aten.view(self, (1, *shape_of(self)))


def _each_item(self, out) -> None:
    """torch goes over the batch and takes out an item of both."""
    for item in range(shape_of(out)[0]):
        aten.select(self, 0, item)
        aten.select(out, 0, item)


class Im2col(Op):
    """What the kernel sees at each position, as a column."""

    schema = ("im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor")
    node = "Im2ColBackward0"

    def meta(self, kernel_size, dilation, padding, stride):
        shape = _columns_of(shape_of(self), kernel_size, dilation, padding, stride)
        _only_floats("im2col_out_cpu", self.dtype)
        return Spec(shape, self.dtype)

    def body(self, kernel_size, dilation, padding, stride):
        out = aten.empty_like(self, memory_format=IN_ORDER)
        shape = _columns_of(shape_of(self), kernel_size, dilation, padding, stride)
        is_batch, image = ndim_of(self) == 4, _batched(in_order(self), 4)
        aten.resize_(out, shape if is_batch else (1, *shape))
        _each_item(image, out)
        run.im2col(out, image, kernel_size, dilation, padding, stride)
        return out if is_batch else aten.resize_(out, shape)

    def grad_self(grad, self_shape, kernel_size, dilation, padding, stride):
        return aten.col2im(grad, self_shape[-2:], kernel_size, dilation, padding, stride)


class Col2im(Op):
    """Columns put back to where im2col takes them from; where they overlap they are added up."""

    schema = ("col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, "
              "int[2] stride) -> Tensor")
    node = "Col2ImBackward0"

    def meta(self, output_size, kernel_size, dilation, padding, stride):
        shape = _image_of(shape_of(self), output_size, kernel_size, dilation, padding, stride)
        _only_floats("col2im_out_cpu", self.dtype)
        return Spec(shape, self.dtype)

    def body(self, output_size, kernel_size, dilation, padding, stride):
        out = aten.empty_like(self, memory_format=IN_ORDER)
        shape = _image_of(shape_of(self), output_size, kernel_size, dilation, padding, stride)
        is_batch, columns = ndim_of(self) == 3, _batched(in_order(self), 3)
        aten.resize_(out, shape if is_batch else (1, *shape))
        _each_item(columns, out)
        run.col2im(out, columns, kernel_size, dilation, padding, stride)
        return out if is_batch else aten.resize_(out, shape)

    def grad_self(grad, kernel_size, dilation, padding, stride):
        return aten.im2col(grad, kernel_size, dilation, padding, stride)
