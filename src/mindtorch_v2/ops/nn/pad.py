"""A border around a tensor: a number, a reflection, the edge repeated, or the other side."""

from __future__ import annotations

from ...core.device import contiguous_format, strided
from ...core.tensor import blank, ndim_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ...opdef.rules import Spec
from ..shared.layout import in_order

_MODES = {"reflect": "reflection_pad", "replicate": "replication_pad"}


class Pad(Op):
    """F.pad: the border's sizes from the last dimension on, before and after."""

    schema = 'pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor'
    internal = "F.pad"

    def body(self, pad, mode, value):
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


def _borders(pad, ndim: int) -> list[tuple[int, int, int]]:
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
        borders = _borders(pad, ndim_of(self))
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
        out = aten.empty(tuple(shape), dtype=self.dtype, layout=strided, memory_format=contiguous_format)
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


class PadCircular(Op):
    """A border that continues at the other side."""

    schema = "_pad_circular(Tensor self, SymInt[] pad) -> Tensor"
    internal = "F.pad"

    def body(self, pad):
        shape, borders = list(shape_of(self)), _borders(pad, ndim_of(self))
        for dim, before, after in borders:
            if max(before, after) > shape[dim]:
                raise RuntimeError("Padding value causes wrapping around more than once.")
            shape[dim] += before + after
            if shape[dim] < 0:
                raise RuntimeError("Negative padding value is resulting in an empty dimension")
        out = aten.new_empty(self, tuple(shape))
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


def _copy_range(out, dim: int, to: tuple[int, int], of: tuple[int, int]) -> None:
    place = aten.slice(out, dim, *to)
    aten.copy_(place, aten.slice(out, dim, *of))


def _grown(shape, borders) -> tuple[int, ...]:
    """The shape with its border."""
    sizes = list(shape)
    for dim, before, after in borders:
        sizes[dim] += before + after
    return tuple(sizes)


def _can_reflect(shape, borders) -> None:
    """A mirror cannot show more than there is."""
    for i, (dim, before, after) in enumerate(reversed(borders)):
        if before >= shape[dim] or after >= shape[dim]:
            raise RuntimeError(f"Argument #{4 + 2 * i}: Padding size should be less than the corresponding input "
                               f"dimension, but got: padding ({before}, {after}) at dimension {dim} of input "
                               f"{list(shape)}")


# Memory is asked for as torch shows it: silently, openly, or silently and then openly.
def _blank(self, shape):
    return blank(shape, self.dtype)


def _resized(self, shape):
    return aten.resize_(aten.empty((0,), dtype=self.dtype), shape)


def _blank_resized(self, shape):
    return aten.resize_(blank(shape, self.dtype), shape)


def _zeros(self, grad):
    return aten.zero_(blank(shape_of(self), grad.dtype))


def _zeros_like(self, grad):
    return aten.zeros_like(self, memory_format=contiguous_format)


def _zeros_resized(self, grad):
    return aten.zero_(_blank_resized(grad, shape_of(self)))


# torch's word, which is the kernel's rule, dimensions, new memory, zeros for the gradient, what it is
CONTINUATIONS = [
    ("reflection", 1, _blank, _zeros, "The last dimension as in a mirror."),
    ("reflection", 2, _resized, _zeros_like, "The last two dimensions as in a mirror."),
    ("reflection", 3, _blank_resized, _zeros_resized, "The last three dimensions as in a mirror."),
    ("replication", 1, _blank, _zeros, "The last dimension, its edges repeated."),
    ("replication", 2, _blank_resized, _zeros_like, "The last two dimensions, their edges repeated."),
    ("replication", 3, _blank_resized, _zeros_like, "The last three dimensions, their edges repeated."),
]


def _declare(word: str, dims: int, memory, zeros, doc: str) -> None:
    """A padding and its gradient, which is an op of its own."""
    name, node, pair = f"{word}_pad{dims}d", f"{word.title()}Pad{dims}DBackward", f"SymInt[{2 * dims}] padding"

    def meta(self, padding):
        shape, borders = shape_of(self), _borders(padding, ndim_of(self))
        if word == "reflection":
            _can_reflect(shape, borders)
        return Spec(_grown(shape, borders), self.dtype)

    def body(self, padding):
        borders = _borders(padding, ndim_of(self))
        out = memory(self, _grown(shape_of(self), borders))
        run.continue_borders(out, in_order(self), word, borders)
        return out

    def backward(grad_output, self, padding):
        out = zeros(self, grad_output)
        run.add_borders_back(out, in_order(grad_output), word, _borders(padding, ndim_of(self)))
        return out

    declare(f"{name}(Tensor self, {pair}) -> Tensor", doc, meta=meta, body=body, node=f"{node}0", internal="F.pad",
            grad_self=lambda grad, self, padding: getattr(aten, f"{name}_backward")(grad, self, padding))
    declare(f"{name}_backward(Tensor grad_output, Tensor self, {pair}) -> Tensor", f"The gradient of {name}().",
            meta=lambda grad_output, self, padding: Spec(shape_of(self), grad_output.dtype),
            body=backward, node=f"{node}Backward0", internal="a derivative",
            grad_grad_output=lambda grad, padding: getattr(aten, name)(grad, padding),
            grad_self=lambda self_shape, self_dtype: aten.zeros(self_shape, dtype=self_dtype))


for _row in CONTINUATIONS:
    _declare(*_row)
