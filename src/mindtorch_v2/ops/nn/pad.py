# cython: annotation_typing=False
"""A border around a tensor: one number, the other side, or what continues it (pad_border.py)."""

from __future__ import annotations

from ...autograd.tangents import is_differentiated
from ...core.device import contiguous_format, strided
from ...core.tensor import blank, ndim_of, numel_of, shape_of, strides_of, window_of
from ...devices.kernel import copy, run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..shared.memory_format import suggested_format
from ..shared.out_by_copy import declare_out_by_copy

_MODES = {"reflect": "reflection_pad", "replicate": "replication_pad"}
_NUMBERED = ("reflect", "replicate", "circular", "constant")
MOST_BORDERS = 3  # dimensions that a kernel continues at once


class Pad(Op):
    """F.pad: the border's sizes from the last dimension on, before and after."""

    schema = 'pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor'
    internal = "F.pad"

    def body(self, pad, mode, value):
        return _padded(self, pad, mode, value)


def _padded(self, pad, mode: str, value):
    """The tensor with a border of one of the kinds."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * ndim_of(self):
        raise RuntimeError("Padding length should be less than or equal to two times the input dimension but got "
                           f"padding length {len(pad)} and input of dimension {ndim_of(self)}")
    if mode == "constant":
        return aten.constant_pad_nd(self, pad, 0.0 if value is None else value)
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    padded = len(pad) // 2
    if padded not in (1, 2, 3) or ndim_of(self) not in (padded + 1, padded + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {ndim_of(self)}D input tensor.\nSupported combinations "
            "for non-constant padding:\n  - 2D or 3D input: padding size = 2 (pads last dimension)\n  - 3D or 4D "
            "input: padding size = 4 (pads last 2 dimensions)\n  - 4D or 5D input: padding size = 6 (pads last 3 "
            "dimensions)")
    if mode == "circular":
        return aten._pad_circular(self, pad)
    if mode not in _MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return getattr(aten, f"{_MODES[mode]}{padded}d")(self, pad)


class PadEnum(Op):
    """The same with a number for the mode."""

    schema = "_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor"
    internal = "F.pad"

    def body(self, pad, mode, value):
        return _padded(self, pad, _NUMBERED[mode] if 0 <= mode < len(_NUMBERED) else str(mode), value)


def borders_of(pad, ndim: int) -> list[tuple[int, int, int]]:
    """(dimension, before, after) for each padded dimension, first dimension first."""
    count = len(pad) // 2
    return [(ndim - i - 1, pad[2 * i], pad[2 * i + 1]) for i in range(count - 1, -1, -1)]


class ConstantPad(Op):
    """A border of one number; a negative size cuts off instead."""

    schema = "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor"

    def body(self, pad, value):
        if len(pad) % 2:
            raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
        if len(pad) > 2 * ndim_of(self):
            raise RuntimeError("Length of pad should be no more than twice the number of dimensions of the input. Pad "
                               f"length is {len(pad)}while the input has {ndim_of(self)}dimensions.")
        borders = borders_of(pad, ndim_of(self))
        inner = self
        for dim, before, after in borders:
            if before < 0:
                inner = aten.narrow(inner, dim, -before, shape_of(inner)[dim] + before)
            if after < 0:
                inner = aten.narrow(inner, dim, 0, shape_of(inner)[dim] + after)
        if all([p <= 0 for p in pad]):
            return aten.clone(inner)
        shape = list(shape_of(self))
        for dim, before, after in borders:
            shape[dim] += before + after
            if shape[dim] < 0:
                raise RuntimeError(f"The input size {shape_of(self)[dim]}, plus negative padding {before} and "
                                   f"{after}, resulted in a negative output size, which is invalid. Check dimension "
                                   f"{dim} of your input.")
        format = suggested_format(self)
        if dispatcher.is_unobserved() and inner is self and format is contiguous_format:
            return _bordered(self, tuple(shape), borders, value)
        out = aten.empty(tuple(shape), dtype=self.dtype, layout=strided, memory_format=format)
        aten.fill_(out, value)
        place = out
        for dim, before, after in borders:
            if before > 0:
                place = aten.narrow(place, dim, before, shape_of(place)[dim] - before)
            if after > 0:
                place = aten.narrow(place, dim, 0, shape_of(place)[dim] - after)
        aten.copy_(place, inner)
        return out

    def grad_self(grad, pad):
        return aten.constant_pad_nd(grad, tuple([-p for p in pad]), 0)


def _bordered(self, shape, borders, value):
    """The same at once, without the rows of the views in between; nothing is cut off."""
    out = blank(shape, self.dtype)
    aten.fill_(out, value)
    strides = strides_of(out)
    copy(window_of(out, shape_of(self), strides, sum([before * strides[dim] for dim, before, _ in borders])), self)
    return out


declare_out_by_copy(ConstantPad.op)


class PadCircular(Op):
    """A border that continues at the other side."""

    schema = "_pad_circular(Tensor self, SymInt[] pad) -> Tensor"
    internal = "F.pad"

    def body(self, pad):
        shape, borders = list(shape_of(self)), borders_of(pad, ndim_of(self))
        for dim, before, after in borders:
            if max(before, after) > shape[dim]:
                raise RuntimeError("Padding value causes wrapping around more than once.")
            shape[dim] += before + after
            if shape[dim] < 0:
                raise RuntimeError("Negative padding value is resulting in an empty dimension")
        out = aten.new_empty(self, tuple(shape))
        if _goes_at_once(self, borders):
            run.continue_borders(out, self, "circular", borders)
            return out
        place, source = out, self
        for dim, before, after in reversed(borders):
            place = aten.slice(place, dim, max(before, 0), shape[dim] - max(after, 0))
            source = aten.slice(source, dim, max(-before, 0), shape_of(self)[dim] - max(-after, 0))
        aten.copy_(place, source)
        for dim, before, after in reversed(borders):
            end = shape[dim]
            if before > 0:
                _copy_range(out, dim, (0, before), (end - before - max(after, 0), end - max(after, 0)))
            if after > 0:
                _copy_range(out, dim, (end - after, end), (max(before, 0), max(before, 0) + after))
        return out


def _goes_at_once(self, borders) -> bool:
    """Whether nobody could tell the copies that a circular border is made of."""
    return (dispatcher.is_unobserved() and not is_differentiated(self) and len(borders) <= MOST_BORDERS
            and numel_of(self) > 0 and min([min(before, after) for _, before, after in borders], default=-1) >= 0)


def _copy_range(out, dim: int, to: tuple[int, int], of: tuple[int, int]) -> None:
    place = aten.slice(out, dim, *to)
    aten.copy_(place, aten.slice(out, dim, *of))
