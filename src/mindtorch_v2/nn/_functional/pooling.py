"""Pooling: windows over signals, images and volumes, and unpooling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod

from ...core.overrides import asked, overridden
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ...ops.shared.layout import into

Size = int | Sequence[int]
Maximum = Tensor | tuple[Tensor, Tensor]


def each(size: Size, rank: int) -> tuple:
    """One number for all dimensions, or one for each."""
    return tuple(size) if isinstance(size, Iterable) else (size,) * rank


def _or_none(stride: Size | None) -> Size:
    return () if stride is None else stride


def _max_pool(rank: int) -> tuple[Callable, Callable]:
    """The largest elements of windows: alone unless positions are asked for, and always with them."""
    def with_indices(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Size = 0,
                     dilation: Size = 1, ceil_mode: bool = False, return_indices: bool = False) -> Maximum:
        if asked(input):
            return overridden(with_indices, _arguments(with_indices, locals()))
        op = getattr(aten, f"max_pool{rank}d_with_indices")
        return op(input, kernel_size, _or_none(stride), padding, dilation, ceil_mode)

    def pool(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Size = 0, dilation: Size = 1,
             ceil_mode: bool = False, return_indices: bool = False) -> Maximum:
        if asked(input):
            return overridden(pool, _arguments(pool, locals()))
        if return_indices:
            return with_indices(input, kernel_size, stride, padding, dilation, ceil_mode)
        return getattr(aten, f"max_pool{rank}d")(input, kernel_size, _or_none(stride), padding, dilation, ceil_mode)

    return _named(pool, f"max_pool{rank}d", "The largest element of each window."), _named(
        with_indices, f"max_pool{rank}d_with_indices", "The largest element of each window, and its position.")


def _arguments(function: Callable, scope: dict) -> dict:
    """What a function was given, of all that it sees."""
    return {name: scope[name] for name in function.__code__.co_varnames[:function.__code__.co_argcount]}


def _named(function: Callable, name: str, doc: str) -> Callable:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


max_pool1d, max_pool1d_with_indices = _max_pool(1)
max_pool2d, max_pool2d_with_indices = _max_pool(2)
max_pool3d, max_pool3d_with_indices = _max_pool(3)


def avg_pool1d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Size = 0,
               ceil_mode: bool = False, count_include_pad: bool = True) -> Tensor:
    """The mean of windows over a signal."""
    if asked(input):
        return overridden(avg_pool1d, locals())
    return aten.avg_pool1d(input, kernel_size, _or_none(stride), padding, ceil_mode, count_include_pad)


def avg_pool2d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Size = 0,
               ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None, *,
               out: Tensor | None = None) -> Tensor:
    """The mean of windows over images."""
    if asked(input):
        return overridden(avg_pool2d, _arguments(avg_pool2d, locals()) | into(out))
    if out is None:
        return aten.avg_pool2d(input, kernel_size, _or_none(stride), padding, ceil_mode, count_include_pad,
                               divisor_override)
    return aten.avg_pool2d(input, kernel_size, _or_none(stride), padding, ceil_mode, count_include_pad,
                           divisor_override, out=out)


def avg_pool3d(input: Tensor, kernel_size: Size, stride: Size | None = None, padding: Size = 0,
               ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None, *,
               out: Tensor | None = None) -> Tensor:
    """The mean of windows over volumes."""
    if asked(input):
        return overridden(avg_pool3d, _arguments(avg_pool3d, locals()) | into(out))
    if out is None:
        return aten.avg_pool3d(input, kernel_size, _or_none(stride), padding, ceil_mode, count_include_pad,
                               divisor_override)
    return aten.avg_pool3d(input, kernel_size, _or_none(stride), padding, ceil_mode, count_include_pad,
                           divisor_override, out=out)


def _sizes_or_input(output_size: Size, shape: Sequence[int]) -> Size:
    """None stands for the size of the input."""
    if isinstance(output_size, int):
        return output_size
    if len(shape) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    return [size if given is None else given for given, size in zip(output_size, shape[-len(output_size):])]


def _adaptive_max_pool(rank: int) -> tuple[Callable, Callable]:
    def with_indices(input: Tensor, output_size: Size, return_indices: bool = False) -> tuple[Tensor, Tensor]:
        if asked(input):
            return overridden(with_indices, _arguments(with_indices, locals()))
        sizes = output_size if rank == 1 else _sizes_or_input(output_size, input.size())
        return getattr(aten, f"adaptive_max_pool{rank}d")(input, sizes)

    def pool(input: Tensor, output_size: Size, return_indices: bool = False) -> Maximum:
        if asked(input):
            return overridden(pool, _arguments(pool, locals()))
        pooled = with_indices(input, output_size)
        return pooled if return_indices else pooled[0]

    return _named(pool, f"adaptive_max_pool{rank}d", "So many largest elements."), _named(
        with_indices, f"adaptive_max_pool{rank}d_with_indices", "So many largest elements, and their positions.")


adaptive_max_pool1d, adaptive_max_pool1d_with_indices = _adaptive_max_pool(1)
adaptive_max_pool2d, adaptive_max_pool2d_with_indices = _adaptive_max_pool(2)
adaptive_max_pool3d, adaptive_max_pool3d_with_indices = _adaptive_max_pool(3)


def adaptive_avg_pool1d(input: Tensor, output_size: Size) -> Tensor:
    """So many means of a signal."""
    if asked(input):
        return overridden(adaptive_avg_pool1d, locals())
    return aten.adaptive_avg_pool1d(input, output_size)


def adaptive_avg_pool2d(input: Tensor, output_size: Size) -> Tensor:
    """So many means of images."""
    if asked(input):
        return overridden(adaptive_avg_pool2d, locals())
    return aten.adaptive_avg_pool2d(input, _sizes_or_input(output_size, input.size()))


def adaptive_avg_pool3d(input: Tensor, output_size: Size) -> Tensor:
    """So many means of volumes."""
    if asked(input):
        return overridden(adaptive_avg_pool3d, locals())
    return aten.adaptive_avg_pool3d(input, _sizes_or_input(output_size, input.size()))


def _fractional_max_pool(rank: int) -> tuple[Callable, Callable]:
    name = f"fractional_max_pool{rank}d"

    def with_indices(input: Tensor, kernel_size: Size, output_size: Size | None = None,
                     output_ratio: Sequence[float] | None = None, return_indices: bool = False,
                     _random_samples: Tensor | None = None) -> tuple[Tensor, Tensor]:
        if asked(input, _random_samples):
            return overridden(with_indices, _arguments(with_indices, locals()))
        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
        if output_size is None:
            if len(output_ratio) > rank:
                raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
            output_size = [int(input.size(dim - rank) * ratio) for dim, ratio in enumerate(output_ratio)]
        if _random_samples is None:
            batch = 1 if input.dim() == rank + 1 else input.size(0)
            _random_samples = aten.rand((batch, input.size(-rank - 1), rank), dtype=input.dtype, device=input.device)
        return getattr(aten, name)(input, each(kernel_size, rank), each(output_size, rank), _random_samples)

    def pool(input: Tensor, kernel_size: Size, output_size: Size | None = None,
             output_ratio: Sequence[float] | None = None, return_indices: bool = False,
             _random_samples: Tensor | None = None) -> Maximum:
        if asked(input, _random_samples):
            return overridden(pool, _arguments(pool, locals()))
        pooled = with_indices(input, kernel_size, output_size, output_ratio, return_indices, _random_samples)
        return pooled if return_indices else pooled[0]

    return _named(pool, name, "The largest elements of windows of random sizes."), _named(
        with_indices, f"{name}_with_indices", "The largest elements of windows of random sizes, and their positions.")


fractional_max_pool2d, fractional_max_pool2d_with_indices = _fractional_max_pool(2)
fractional_max_pool3d, fractional_max_pool3d_with_indices = _fractional_max_pool(3)


def _lp_pool(rank: int) -> Callable:
    def pool(input: Tensor, norm_type: float, kernel_size: Size, stride: Size | None = None,
             ceil_mode: bool = False) -> Tensor:
        if asked(input):
            return overridden(pool, _arguments(pool, locals()))
        average = getattr(aten, f"avg_pool{rank}d")
        out = average(input.pow(norm_type), kernel_size, _or_none(stride), 0, ceil_mode)
        whole = aten.mul(aten.sign(out), aten.relu(aten.abs(out)))
        return whole.mul(prod(each(kernel_size, rank))).pow(1.0 / norm_type)

    return _named(pool, f"lp_pool{rank}d", "The norm of each window.")


lp_pool1d, lp_pool2d, lp_pool3d = _lp_pool(1), _lp_pool(2), _lp_pool(3)


def _unpooled_size(input: Tensor, kernel: tuple, stride: tuple, padding: tuple, output_size) -> list[int]:
    """What was pooled: the least that it can have been, or what is given if it can have been that."""
    rank, sizes = len(kernel), input.size()
    least = [(sizes[dim - rank] - 1) * stride[dim] + kernel[dim] - 2 * padding[dim] for dim in range(rank)]
    if output_size is None:
        return least
    if len(output_size) == rank + 2:
        output_size = output_size[2:]
    if len(output_size) != rank:
        raise ValueError(f"output_size should be a sequence containing {rank} or {rank + 2} elements, but it has a "
                         f"length of '{len(output_size)}'")
    for dim in range(rank):
        low, high = least[dim] - stride[dim], least[dim] + stride[dim]
        if not low < output_size[dim] < high:
            raise ValueError(f'invalid output_size "{output_size}" (dim {dim} must be between {low} and {high})')
    return output_size


def _max_unpool(rank: int) -> Callable:
    def unpool(input: Tensor, indices: Tensor, kernel_size: Size, stride: Size | None = None, padding: Size = 0,
               output_size: Sequence[int] | None = None) -> Tensor:
        if asked(input, indices):
            return overridden(unpool, _arguments(unpool, locals()))
        kernel, pad = each(kernel_size, rank), each(padding, rank)
        step = kernel if stride is None else each(stride, rank)
        size = tuple(_unpooled_size(input, kernel, step, pad, output_size))
        if rank == 1:
            out = aten.max_unpool2d(aten.unsqueeze(input, -1), aten.unsqueeze(indices, -1), (*size, 1))
            return aten.squeeze(out, -1)
        return aten.max_unpool2d(input, indices, size) if rank == 2 else aten.max_unpool3d(input, indices, size, step,
                                                                                           pad)

    return _named(unpool, f"max_unpool{rank}d", "Elements put where the largest ones were, zero elsewhere.")


max_unpool1d, max_unpool2d, max_unpool3d = _max_unpool(1), _max_unpool(2), _max_unpool(3)
