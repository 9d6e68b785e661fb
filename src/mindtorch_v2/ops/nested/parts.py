"""Nested tensors out of their parts, and their parts out of them; autograd goes both ways."""

from __future__ import annotations

from ...core import dtype as dtypes
from ...core.device import contiguous_format, strided
from ...core.geometry import wrap_dim
from ...core.tensor import alias_of, blank, ndim_of, numel_of, offset_of, shape_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op, declare
from ..create.factories import empty
from .tensors import geometry, is_in_order, items, like, nested, of_parts

_ONLY = "torch.ops.aten"


class NestedFromTensorList(Op):
    """The tensors of a list as one nested tensor, which has a copy of their elements."""

    schema = ("_nested_tensor_from_tensor_list(Tensor[] list, ScalarType? dtype=None, Layout? layout=None, "
              "Device? device=None, bool? pin_memory=None) -> Tensor")
    internal = _ONLY

    def body(list, dtype, layout, device, pin_memory):
        for i, t in enumerate(list[1:], 1):
            if ndim_of(t) != ndim_of(list[0]):
                raise RuntimeError("All Tensors given to nested_tensor must have the same dimension. Found dimension "
                                   f"{ndim_of(t)} for Tensor at index {i} and dimension {ndim_of(list[0])} for Tensor "
                                   "at index 0.")
        dtype = dtype or (list[0].dtype if list else dtypes.get_default_dtype())
        rows = [empty((ndim_of(t),), dtypes.int64) for t in list]
        elements = blank((sum([numel_of(t) for t in list]),), dtype)
        sizes = sizes_tensor([shape_of(t) for t in list])
        del rows
        if list:
            sizes = aten.to(sizes, device=sizes.device, layout=strided)
        joined = nested(elements, sizes)
        for place, t in zip(items(joined), list):
            run.copy(place, t)
        return joined

    def grad_list(grad):
        return items(in_order(grad))


def sizes_tensor(sizes: list[tuple[int, ...]]):
    """Sizes as a tensor, a row for each, without a row of the profile."""
    table = blank((len(sizes), len(sizes[0])) if sizes else (0,), dtypes.int64)
    if numel_of(table):
        run.fill_from_list(table, [tuple(size) for size in sizes])
    return table


def in_order(tensor):
    """A nested tensor whose tensors lie one behind the other."""
    return tensor if is_in_order(tensor) else aten.clone(tensor, memory_format=contiguous_format)


class NestedValues(Op):
    """The buffer of a nested tensor."""

    schema = "_nested_values(Tensor(a) self) -> Tensor(a)"
    event = "aten::values"
    internal = "a method of nested tensors"
    node = "ValuesBackward0"

    def body(self):
        return alias_of(self._mt_kind.elements)

    def grad_self(grad, self):
        return like(self, grad)


class NestedViewFromBuffer(Op):
    """A nested tensor on a buffer."""

    schema = ("_nested_view_from_buffer(Tensor(a) self, Tensor nested_size, Tensor nested_strides, Tensor offsets) -> "
              "Tensor(a)")
    internal = _ONLY

    def body(self, nested_size, nested_strides, offsets):
        return of_parts(self, nested_size, nested_strides, offsets)

    def grad_self(grad, self_shape, nested_size, nested_strides, offsets):
        if is_in_order(grad) and numel_of(grad._mt_kind.elements) == self_shape[0]:
            return grad._mt_kind.elements
        whole = aten.zeros(self_shape, dtype=grad.dtype)
        for place, part in zip(items(of_parts(whole, nested_size, nested_strides, offsets)), items(grad)):
            aten.copy_(place, part)
        return whole


def buffer_of(tensor):
    """The buffer of a nested tensor, differentiably, without a row."""
    return dispatcher.differentiated(NestedValues.op, (tensor,))


def on_buffer(elements, sizes, strides=None, offsets=None):
    """A nested tensor on a buffer, differentiably, without a row; by default its tensors lie one behind the other."""
    if strides is None:
        kind = nested(elements, sizes)._mt_kind
        strides, offsets = kind.strides, kind.offsets
    return dispatcher.differentiated(NestedViewFromBuffer.op, (elements, sizes, strides, offsets))


def unbound(tensor) -> list:
    """The tensors of a nested one, differentiably."""
    buffer = buffer_of(tensor)
    return [aten.as_strided(buffer, size, stride, offset_of(buffer) + place)
            for size, stride, place in geometry(tensor)]


class NestedUnbind(Op):
    """The tensors of a nested one."""

    schema = "_nested_unbind(Tensor self, int dim=0) -> Tensor[]"
    event = "aten::unbind"
    internal = "a method of nested tensors"

    def body(self, dim):
        if wrap_dim(dim, self.dim()) != 0:
            raise RuntimeError(f"NestedTensor can only be unbound along dimension 0 got dimension {dim} instead.")
        buffer = aten._nested_values(self)
        return tuple([aten.as_strided(buffer, size, stride, offset_of(buffer) + place)
                      for size, stride, place in geometry(self)])


class NestedSelect(Op):
    """One of the tensors of a nested one."""

    schema = "_nested_select(Tensor self, int index) -> Tensor"
    event = "aten::select"
    internal = "a method of nested tensors"

    def body(self, index):
        known = geometry(self)
        if not -len(known) <= index < len(known):
            raise IndexError(f"index {index} is out of bounds for dimension 0 with size {len(known)}")
        buffer = buffer_of(self)
        size, stride, place = known[index]
        return aten.as_strided(buffer, size, stride, offset_of(buffer) + place)


class NestedSum(Op):
    """The sum over the last dimension, which stays as one of size 1."""

    schema = "_nested_sum(Tensor self, int[1]? dim, bool keepdim=False) -> Tensor"
    event = "aten::sum"
    internal = "a method of nested tensors"

    def body(self, dim, keepdim):
        dims = [wrap_dim(d, self.dim()) for d in (dim or ())]
        if len(dims) != 1:
            raise RuntimeError("NestedTensor only allows reduction of a single dimension for now.")
        if dims[0] != self.dim() - 1:
            raise RuntimeError("NestedTensor can only be reduced across the last dimension for now got dimension "
                               f"{dims[0]} instead.")
        if not keepdim:
            raise RuntimeError("NestedTensor always requires keepdim=True for now.")
        return aten._nested_tensor_from_tensor_list([aten.sum(t, (-1,), True) for t in unbound(self)])


def _fact(name: str, part: str) -> None:
    declare(f"{name}(Tensor self) -> Tensor", "A part of a nested tensor.", internal=_ONLY, below="answers a question",
            body=lambda self: getattr(self._mt_kind, part))


_fact("_nested_tensor_size", "sizes")
_fact("_nested_tensor_strides", "strides")
_fact("_nested_tensor_storage_offsets", "offsets")


class NestedStridesOffsets(Op):
    """The strides and offsets of tensors of given sizes that lie one behind the other."""

    schema = "_nested_compute_contiguous_strides_offsets(Tensor nested_size) -> (Tensor, Tensor)"
    internal = _ONLY
    below = "answers a question"

    def body(nested_size):
        kind = nested(blank((0,), dtypes.float32), nested_size)._mt_kind
        return kind.strides, kind.offsets


class NestedFromPaddedLike(Op):
    """A nested tensor of the sizes of another, cut out of a padded one."""

    schema = "_nested_from_padded_and_nested_example(Tensor padded, Tensor nt_example) -> Tensor"
    internal = _ONLY
    below = "makes a nested tensor"

    def body(padded, nt_example):
        return aten._nested_from_padded(padded, nt_example._mt_kind.sizes, False)


class NestedToPadded(Op):
    """to_padded_tensor by the name of torch.nested."""

    schema = "nested_to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor"
    internal = "torch.nested"

    def body(self, padding, output_size):
        return aten.to_padded_tensor(self, padding, output_size)
