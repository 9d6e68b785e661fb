# cython: annotation_typing=False
"""Borders that continue a tensor: as in a mirror, or with its edges repeated."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.dtype import FLOATING, bool_
from ...core.geometry import wrap_dim
from ...core.tensor import ndim_of, numel_of, shape_of
from ...devices.kernel import run
from ...dispatch.aten import aten
from ...opdef.form import declare
from ...opdef.kernel_types import not_implemented
from ...opdef.rules import Spec
from ..shared.memory_format import in_format, strides_in, suggested_format, through_format
from .pad import borders_of

_AXES = {1: ("width",), 2: ("width", "height"), 3: ("width", "height", "depth")}
# How torch spells sizes that leave nothing, before and after.
_SIZES = {("reflection", 1): "W: {}", ("replication", 1): "W: {}", ("reflection", 2): "H: {}, W: {}",
          ("replication", 2): "H: {}, W: {} ", ("reflection", 3): "D: {} H: {}, W: {}",
          ("replication", 3): "D: {} H: {}, W: {}"}
RESIZED = ("reflection_pad2d",)  # torch resizes an empty result to what comes out, and lets that complain
SILENT = ("reflection_pad1d", "replication_pad1d", "reflection_pad3d")  # whose gradients show no row for their memory
_OUTPUTS = {1: "W: {}", 2: "H: {} W: {}", 3: "D: {} H: {} W: {}"}


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


def _format(t, rank: int):
    """Only a batch of images or volumes may have its channels last."""
    return suggested_format(t) if rank > 1 and ndim_of(t) == rank + 2 else contiguous_format


class _Border:
    """A kind of border in so many dimensions: its checks, and how torch asks for memory."""

    def __init__(self, word: str, rank: int):
        self.word, self.rank, self.name = word, rank, f"{word}_pad{rank}d"
        self.node = f"{word.title()}Pad{rank}DBackward"
        self.gradient = "grad_output" if word == "reflection" and rank != 2 else "gradOutput"
        self.comma = "" if (word, rank) == ("replication", 1) else ","

    def shape(self, self_shape, padding) -> tuple[int, ...]:
        """The shape of the result; complaints about what cannot be padded."""
        rank, given = self.rank, list(self_shape)
        if len(padding) != 2 * rank:
            got = f", but got: {len(padding)}" if self.word == "reflection" else ""
            raise RuntimeError(f"padding size is expected to be {2 * rank}{got}")
        if len(given) not in (rank + 1, rank + 2) or 0 in given[-rank - 1:]:
            raise RuntimeError(f"Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with possibly 0 batch size "
                               f"and other non-zero dimensions for input, but got: {given}")
        borders = borders_of(padding, len(given))
        if self.word == "reflection":
            _can_reflect(self_shape, borders)
        shape = _grown(self_shape, borders)
        if max(shape[-rank:]) < 1:
            sizes, outputs = _SIZES[self.word, rank].format(*given[-rank:]), _OUTPUTS[rank].format(*shape[-rank:])
            raise RuntimeError(f"input ({sizes}) is too small. Calculated output {outputs}")
        if min(shape) < 0 and self.name not in RESIZED:  # a size may be too small as long as another is not
            raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
        return shape

    def check_gradient(self, grad, self_shape, padding) -> None:
        """A gradient of the size of the result."""
        borders = borders_of(padding, len(self_shape))
        if self.name == "reflection_pad1d":
            _can_reflect(self_shape, borders)
        shape, given = _grown(self_shape, borders), shape_of(grad)
        if self.name == "reflection_pad3d" and len(given) != len(shape):
            raise RuntimeError("Expected grad_output.dim() == input.dim() to be true, but got false.  (Could this "
                               "error message be improved?  If so, please report an enhancement request to PyTorch.)")
        dims = list(zip(_AXES[self.rank], range(len(shape) - 1, -1, -1)))
        if self.name == "replication_pad3d":
            dims.insert(0, ("channel", len(shape) - 4))
        for axis, dim in dims:
            wrap_dim(dim, len(given))
            if given[dim] != shape[dim]:
                raise RuntimeError(f"{self.gradient} {axis} unexpected. Expected: {shape[dim]}{self.comma} Got: "
                                   f"{given[dim]}")

    def write(self, out, self_, padding) -> None:
        """The values, where they belong."""
        if self_.dtype is bool_:
            raise not_implemented(self.name, self_.dtype)
        if out.dtype is not self_.dtype:
            raise RuntimeError(f"expected scalar type {self_.dtype.short} but found {out.dtype.short}")
        x = in_format(self_, _format(self_, self.rank))
        run.continue_borders(out, x, self.word, borders_of(padding, ndim_of(x)))

    def gather(self, out, grad, self_, padding) -> None:
        """The gradient of the input; ``out`` is zero."""
        if grad.dtype.category < FLOATING:
            raise not_implemented(f"{self.name}_backward", grad.dtype)
        if grad.dtype is not self_.dtype:
            raise RuntimeError(f"expected scalar type {grad.dtype.short} but found {self_.dtype.short}")
        through_format(_format(grad, self.rank), run.add_borders_back, out, grad, self.word,
                       borders_of(padding, ndim_of(self_)))


def _declare(border: _Border) -> None:
    """A padding, and its form that writes into a given tensor."""
    rank, name = border.rank, border.name
    pair, doc = f"SymInt[{2 * rank}] padding", f"The last dimensions, {rank}, continued by a {border.word}."
    head = f"{name}(Tensor self, {pair}) -> Tensor"

    def meta(self, padding):
        shape = border.shape(shape_of(self), padding)
        return Spec(shape, self.dtype, strides_in(shape, _format(self, rank)))

    def into(out, self, padding):
        if rank > 1:  # torch sizes what is sized already
            aten.resize_(out, shape_of(out), memory_format=_format(self, rank))
        border.write(out, self, padding)

    def sized_body(self, padding):
        return sized_out(self, padding, aten.empty((0,), dtype=self.dtype))

    def sized_out(self, padding, out):
        aten.resize_(out, border.shape(shape_of(self), padding), memory_format=_format(self, rank))
        border.write(out, self, padding)
        return out

    shown = {"node": f"{border.node}0", "internal": "F.pad",
             "grad_self": lambda grad, self, padding: getattr(aten, f"{name}_backward")(grad, self, padding)}
    if name in RESIZED:
        declare(head, doc, meta=meta, body=sized_body, **shown)
        declare(f"{name}.out(Tensor self, {pair}, *, Tensor(a!) out) -> Tensor(a!)", doc, body=sized_out,
                meta=lambda self, padding, out: meta(self, padding), internal="F.pad", below="a given result")
    else:
        declare(head, doc, meta=meta, into=into, variants="out", **shown)


def _declare_backward(border: _Border) -> None:
    """The gradient of a padding, an op of its own, and its form that writes into a given tensor."""
    rank, name = border.rank, border.name
    params, doc = f"Tensor grad_output, Tensor self, SymInt[{2 * rank}] padding", f"The gradient of {name}()."

    def meta(grad_output, self, padding):
        border.check_gradient(grad_output, shape_of(self), padding)
        return Spec(shape_of(self), grad_output.dtype, strides_in(shape_of(self), _format(self, rank)))

    def into(out, grad_output, self, padding):
        if numel_of(grad_output) == 0:
            run.fill(out, 0)  # torch leaves it as it is, and shows nothing
            return
        if rank > 1:
            aten.resize_(out, shape_of(self), memory_format=_format(self, rank))
        aten.zero_(out)
        border.gather(out, grad_output, self, padding)

    def body(grad_output, self, padding):
        out = aten.zeros_like(self, memory_format=_format(self, rank))
        border.gather(out, grad_output, self, padding)
        return out

    def body_out(grad_output, self, padding, grad_input):
        aten.zero_(aten.resize_as_(grad_input, self, memory_format=_format(self, rank)))
        border.gather(grad_input, grad_output, self, padding)
        return grad_input

    is_silent = name in SILENT
    declare(f"{name}_backward({params}) -> Tensor", doc, meta=meta, **{"into": into} if is_silent else {"body": body},
            node=f"{border.node}Backward0", internal="a derivative",
            grad_grad_output=lambda grad, padding: getattr(aten, name)(grad, padding),
            grad_self=lambda self_shape, self_dtype: aten.zeros(self_shape, dtype=self_dtype))
    given = f"{name}_backward.grad_input({params}, *, Tensor(a!) grad_input) -> Tensor(a!)"
    if is_silent:
        declare(given, doc, meta=meta, into=into, internal="a derivative")
    else:
        declare(given, doc, body=body_out, meta=lambda grad_output, self, padding, grad_input: meta(
            grad_output, self, padding), internal="a derivative", below="a given result")


for _word in ("reflection", "replication"):
    for _rank in (1, 2, 3):
        _declare(_Border(_word, _rank))
        _declare_backward(_Border(_word, _rank))
