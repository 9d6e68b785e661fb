# cython: annotation_typing=False
"""Channels and pixels that change places."""

from __future__ import annotations

from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.memory_format import in_format, strides_in, suggested_format
from ..shared.not_differentiable import UNKNOWN, unknown
from ..shared.out_by_copy import declare_out_by_copy

LARGEST_INT = 2**63 - 1


def _check_images(op: str, self, factor: int, word: str) -> None:
    if ndim_of(self) < 3:
        raise RuntimeError(f"{op} expects input to have at least 3 dimensions, but got input with {ndim_of(self)} "
                           "dimension(s)")
    if factor <= 0:
        raise RuntimeError(f"{op} expects a positive {word}, but got {factor}")


def _spec(self, shape: tuple[int, ...]) -> Spec:
    """A result whose channels lie where those of the input do."""
    memory_format = suggested_format(self)
    return Spec(shape, self.dtype, strides_in(shape, memory_format))


def _resized(self, shape: tuple[int, ...]):
    """Memory for it, which torch asks for in two steps, and the input in the same format."""
    memory_format = suggested_format(self)
    out = aten.resize_(aten.empty((0,), dtype=self.dtype), shape, memory_format=memory_format)
    return out, in_format(self, memory_format)


def _shuffled_shape(self, factor: int) -> tuple[int, ...]:
    *batch, channels, height, width = shape_of(self)
    return *batch, channels // factor**2, height * factor, width * factor


class PixelShuffle(Op):
    """The channels of each group as the pixels of a block."""

    schema = "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor"

    def meta(self, upscale_factor):
        _check_images("pixel_shuffle", self, upscale_factor, "upscale_factor")
        if upscale_factor**2 > LARGEST_INT:
            raise ValueError("upscale factor is too large, (upscale_factor)^2 overflowed: "
                             f"upscale_factor={upscale_factor}")
        channels = shape_of(self)[-3]
        if channels % upscale_factor**2:
            raise RuntimeError("pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
                               f"upscale_factor, but input.size(-3)={channels} is not divisible by "
                               f"{upscale_factor**2}")
        return _spec(self, _shuffled_shape(self, upscale_factor))

    def body(self, upscale_factor):
        out, x = _resized(self, _shuffled_shape(self, upscale_factor))
        run.pixel_shuffle(out, x, upscale_factor)
        return out

    def grad_self(grad, upscale_factor):
        return aten.pixel_unshuffle(grad, upscale_factor)


def _unshuffled_shape(self, factor: int) -> tuple[int, ...]:
    *batch, channels, height, width = shape_of(self)
    return *batch, channels * factor**2, height // factor, width // factor


class PixelUnshuffle(Op):
    """The pixels of each block as channels."""

    schema = "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor"

    def meta(self, downscale_factor):
        _check_images("pixel_unshuffle", self, downscale_factor, "downscale_factor")
        for dim, word in ((-2, "height"), (-1, "width")):
            if shape_of(self)[dim] % downscale_factor:
                raise RuntimeError(f"pixel_unshuffle expects {word} to be divisible by downscale_factor, but "
                                   f"input.size({dim})={shape_of(self)[dim]} is not divisible by {downscale_factor}")
        return _spec(self, _unshuffled_shape(self, downscale_factor))

    def body(self, downscale_factor):
        if numel_of(self) == 0:
            return aten.clone(self)  # of the input's shape, as torch has it
        out, x = _resized(self, _unshuffled_shape(self, downscale_factor))
        run.pixel_unshuffle(out, x, downscale_factor)
        return out

    def grad_self(grad, downscale_factor):
        return aten.pixel_shuffle(grad, downscale_factor)


def _check_groups(self, groups: int) -> None:
    shape = shape_of(self)
    if len(shape) <= 2:
        raise RuntimeError(f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}")
    if groups <= 0:
        raise RuntimeError(f"Number of groups to divide channels in must be positive. Value of groups:{groups}")
    if shape[1] % groups:
        raise RuntimeError(f"Number of channels must be divisible by groups. Got {shape[1]} channels and {groups} "
                           "groups.")


class ChannelShuffle(Op):
    """One channel of each group in turn."""

    schema = "channel_shuffle(Tensor self, SymInt groups) -> Tensor"

    def body(self, groups):
        _check_groups(self, groups)
        return aten.native_channel_shuffle(self, groups) if numel_of(self) else aten.alias(self)

    def grad_self(grad, self_shape, groups):
        return aten.channel_shuffle(grad, self_shape[1] // groups)


class NativeChannelShuffle(Op):
    """The work of channel_shuffle."""

    schema = "native_channel_shuffle(Tensor self, SymInt groups) -> Tensor"
    node = UNKNOWN

    def meta(self, groups):
        _check_groups(self, groups)
        return _spec(self, shape_of(self))

    def body(self, groups):
        if numel_of(self) == 0:
            return aten.alias(self)
        out, x = _resized(self, shape_of(self))
        run.channel_shuffle(out, x, groups)
        return out

    grads = unknown("native_channel_shuffle")


for _op in (PixelShuffle.op, PixelUnshuffle.op, ChannelShuffle.op):
    declare_out_by_copy(_op)
