# cython: annotation_typing=False
"""What windows over planes make of a shape, and torch's complaints about windows that do not fit."""

from __future__ import annotations

from math import prod

from ...core.device import channels_last, channels_last_3d
from ...core.geometry import contiguous_strides
from ...core.tensor import is_in_order, ndim_of, shape_of
from ...dispatch.aten import aten
from ...opdef.rules import Spec, c_name
from ..shared.layout import in_order

_WORDS = {2: "two", 3: "three"}
_AXES = {2: "HW", 3: "THW"}


def each_dimension(op: str, name: str, given, rank: int, either: bool = True, first: str = "either be") -> tuple:
    """One number for every dimension of the window, of as many or of one."""
    if len(given) == 1:
        return tuple(given) * rank
    if len(given) != rank:
        says = f"must {first} " if either else "must be "
        raise RuntimeError(f"{op}: {name} {says}a single int, or a tuple of {_WORDS[rank]} ints")
    return tuple(given)


def stride_of(op: str, stride, kernel: tuple, rank: int, either: bool = True) -> tuple:
    """The steps of a window; without any, as wide as itself."""
    if len(stride) == 0:
        return kernel
    if len(stride) not in (1, rank):
        says = "must either be" if either else "must be"
        raise RuntimeError(f"{op}: stride {says} omitted, a single int, or a tuple of {_WORDS[rank]} ints")
    return each_dimension(op, "stride", stride, rank)


def output_size(size: int, kernel: int, padding: int, stride: int, dilation: int, ceil_mode: bool) -> int:
    """How many windows fit; with ceil_mode the last one may hang over, but not begin in the padding."""
    if stride == 0:
        raise RuntimeError("stride should not be zero")
    if padding < 0:
        raise RuntimeError(f"pad must be non-negative, but got pad: {padding}")
    if padding > int(((kernel - 1) * dilation + 1) / 2):  # towards zero, as C divides
        raise RuntimeError(f"pad should be at most half of effective kernel size, but got pad={padding}, "
                           f"kernel_size={kernel} and dilation={dilation}")
    count = (size + 2 * padding - dilation * (kernel - 1) - 1 + (stride - 1 if ceil_mode else 0)) // stride + 1
    if ceil_mode and (count - 1) * stride >= size + padding:
        count -= 1
    return count


def output_sizes(sizes, kernel, padding, stride, dilation, ceil_mode: bool) -> tuple[int, ...]:
    """The same for every dimension of the window."""
    return tuple([output_size(n, k, p, s, d, ceil_mode)
                  for n, k, p, s, d in zip(sizes, kernel, padding, stride, dilation)])


def check_window(rank: int, kernel: tuple, stride: tuple, dilation: tuple) -> None:
    """Everything about a window is larger than zero."""
    for name, letter, numbers in (("kernel size", "k", kernel), ("stride", "d", stride),
                                  ("dilation", "dilation", dilation)):
        if min(numbers) <= 0:
            shown = " ".join([f"{letter}{axis}: {n}" for axis, n in zip(_AXES[rank], numbers)])
            raise RuntimeError(f"{name} should be greater than zero, but got {shown}")


def check_output(rank: int, sizes, outputs) -> None:
    """There is a window in every plane."""
    if min(outputs[-rank:]) < 1:
        shown = ["x".join(map(str, shape)) for shape in (sizes, outputs)]
        raise RuntimeError(f"Given input size: ({shown[0]}). Calculated output size: ({shown[1]}). Output size is too "
                           "small")


def check_planes_2d(shape, kernel, padding) -> None:
    """Images, one or a batch of them, padded by half a window at most."""
    if len(shape) not in (3, 4) or 0 in shape[len(shape) - 3:]:
        raise RuntimeError("Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:"
                           f"{list(shape)}")
    if any([k // 2 < p for k, p in zip(kernel, padding)]):
        raise RuntimeError(f"pad should be smaller than or equal to half of kernel size, but got padW = {padding[1]}, "
                           f"padH = {padding[0]}, kW = {kernel[1]}, kH = {kernel[0]}")


def check_planes_3d(op: str, shape, kernel, padding, whole: bool) -> None:
    """Films, one or a batch of them; ``whole``: a window fits into them without padding."""
    if 0 in shape[len(shape) - 4:]:
        raise RuntimeError(f"{op}(): Expected input's non-batch dimensions to have positive length, but input has a "
                           f"shape of {list(shape)} and non-batch dimension 0 has length zero!")
    if whole and any([n < k for n, k in zip(shape[-3:], kernel)]):
        sizes, windows = [" ".join([f"{letter}{axis}: {n}" for axis, n in zip("THW", numbers)])
                          for letter, numbers in (("", shape[-3:]), ("k", kernel))]
        raise RuntimeError(f"input image ({sizes}) smaller than kernel size ({windows})")
    if any([k // 2 < p for k, p in zip(kernel, padding)]):
        t, h, w = kernel
        raise RuntimeError(f"pad should be smaller than or equal to half of kernel size, but got kT: {t} kW: {w} "
                           f"kH: {h} padT: {padding[0]} padW: {padding[2]} padH: {padding[1]}")


def check_one(op: str, name: str, given) -> int:
    """The number for the only dimension of a window."""
    if len(given) != 1:
        raise RuntimeError(f"{op}() argument '{name}' should contain one int (got {len(given)})")
    return given[0]


def check_rows(op: str, self) -> None:
    """Signals, one or a batch of them."""
    if ndim_of(self) not in (2, 3):
        raise RuntimeError(f"Expected 2 to 3 dimensions, but got {ndim_of(self)}-dimensional tensor for argument #1 "
                           f"'self' (while checking arguments for {op})")


def check_dims(tensor, shape: tuple) -> None:
    """A gradient, or positions, of the shape of the results."""
    given, ndim = shape_of(tensor), len(shape)
    for dim in range(-min(ndim, 4), 0):
        if len(given) != ndim or given[dim] != shape[dim]:
            wanted = f"dimension {ndim} and tensor.size[{ndim + dim}] == {shape[dim]}"
            actual = f"dimension {len(given)} and tensor.size[{ndim + dim}] = " \
                    f"{given[ndim + dim] if ndim + dim < len(given) else 0}"
            raise RuntimeError(f"Expected a tensor of {wanted} but got: {actual}")


def check_same_type(grad, self) -> None:
    """A gradient of the input's type."""
    if grad.dtype is not self.dtype:
        raise RuntimeError(f"expected dtype {c_name(self.dtype)} for `gradOutput` but got dtype {c_name(grad.dtype)}")


def lies_last(self) -> bool:
    """Whether the channels of images or films lie innermost, and so do those of the results."""
    return not is_in_order(self) and memory_format_of(self) is not None


def memory_format_of(self):
    """The format of results that lie as their input does; None for C order."""
    if ndim_of(self) == 4 and self.is_contiguous(memory_format=channels_last):
        return None if is_in_order(self) else channels_last
    if ndim_of(self) == 5 and self.is_contiguous(memory_format=channels_last_3d):
        return None if is_in_order(self) else channels_last_3d
    return None


def planes_spec(self, shape: tuple, dtype=None) -> Spec:
    """A result whose channels lie where those of the input do."""
    strides = None
    if lies_last(self):
        strides = contiguous_strides((shape[0], *shape[2:], shape[1]))
        strides = (strides[0], strides[-1], *strides[1:-1])
    return Spec(shape, dtype or self.dtype, strides)


def in_planes(self):
    """The tensor itself if its memory is in order or its channels lie last, else a copy, which shows as a row."""
    return self if lies_last(self) else in_order(self)


def picked(grad, indices, rank: int):
    """The elements of each plane at the positions that were the largest: what is second derivative and first of
    unpooling."""
    shape, planes = shape_of(indices), ndim_of(indices) - rank
    at, flat = [aten.view(t, (*shape[:planes], prod(shape_of(t)[planes:]))) for t in (indices, in_order(grad))]
    return aten.view(aten.gather(flat, -1, at), shape)
