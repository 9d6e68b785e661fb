"""The same storage in another shape. All but the leaves end in as_strided, as torch's do."""

from __future__ import annotations

from ...core import geometry
from ...core.device import contiguous_format
from ...core.geometry import wrap_dim
from ...core.tensor import Tensor, alias_of, in_rows, is_row_major, numel_of, offset_of, shape_of, strides_of, window_of
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...opdef.form import Op
from ..reduce.sums import sum_to


def strided(self, shape, strides, offset=None):
    """as_strided on arguments that need no reading: how every other view is made, by an op that shows its own row."""
    if not dispatcher.is_plain():
        return dispatcher.call(_AS_STRIDED, (self, shape, strides, offset))
    row = -1 if dispatcher.is_unobserved() else dispatcher.begin_row(_AS_STRIDED, (self, shape, strides, offset))
    try:
        return window_of(self, shape, strides, offset_of(self) if offset is None else offset)
    finally:
        if row >= 0:
            dispatcher.end_row(row)


class AsStrided(Op):
    """A view by explicit sizes, strides and offset."""

    schema = "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)"
    variants = "method"

    def view(self: Tensor, size, stride, storage_offset):
        return window_of(self, size, stride, offset_of(self) if storage_offset is None else storage_offset)

    def grad_self(grad, self_geometry, size, stride, storage_offset):
        return as_strided_backward(grad, self_geometry, size, stride, storage_offset)


_AS_STRIDED = AsStrided.op


def as_strided_backward(grad, geometry_before, size, stride, storage_offset):
    """Lay the gradient into zeros shaped like the storage, adding where the view overlaps, and read it as the input."""
    for i, (n, step) in enumerate(zip(size, stride)):
        if step == 0 and n > 1:
            grad = aten.sum(grad, (i,), True)
    size = tuple([1 if step == 0 else n for n, step in zip(size, stride)])
    shape, strides, offset = geometry_before
    seen_offset = offset if storage_offset is None else storage_offset
    start = min(offset, seen_offset)
    count = max(offset - start + _extent(shape, strides), seen_offset - start + _extent(size, stride))
    flat = aten.new_zeros(grad, (count,))
    flat = _lay(flat, grad, size, stride, seen_offset - start)
    if not geometry.is_non_overlapping_and_dense(shape, strides) and _overlaps(shape, strides):
        times = _lay(aten.zeros_like(flat), aten.new_ones(grad, shape), shape, strides, offset - start)
        flat = aten.div(flat, times)  # elements the input shows several times share their gradient
    return aten.as_strided(flat, shape, strides, offset - start)


def _lay(flat, grad, size, stride, offset: int):
    if not _overlaps(size, stride):
        aten.copy_(aten.as_strided(flat, size, stride, offset), grad)
        return flat
    places = aten.as_strided(aten.arange(0, flat.numel()), size, stride, offset)
    grad = aten.reshape(grad, (-1,))
    return aten.index_add_(flat, 0, aten.reshape(places, (-1,)), grad)


def _extent(shape, strides) -> int:
    return 0 if 0 in shape else 1 + sum([(n - 1) * step for n, step in zip(shape, strides)])


def _overlaps(shape, strides) -> bool:
    """Whether two places of a tensor may be one element of memory."""
    reach = 0
    for step, n in sorted([(step, n) for step, n in zip(strides, shape) if n > 1]):
        if step <= reach:
            return True
        reach += (n - 1) * step
    return False


class Alias(Op):
    """The same view once more."""

    schema = "alias(Tensor(a) self) -> Tensor(a)"
    internal = "torch shows it to no user"

    def view(self: Tensor):
        return alias_of(self)

    def grad_self(grad):
        return grad


class Expand(Op):
    """Dimensions of size one repeated without a copy."""

    schema = "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, size, implicit):
        shape_and_strides = geometry.expanded(shape_of(self), strides_of(self), size)
        if shape_and_strides is None:
            _not_expandable(self, size)
        return strided(self, shape_and_strides[0], shape_and_strides[1])

    def grad_self(grad, self_shape):
        return sum_to(grad, self_shape)


def _not_expandable(self, size) -> None:
    """torch's complaint about a size that a tensor can't be expanded to."""
    shape = shape_of(self)
    lead = len(size) - len(shape)
    if lead < 0:
        raise RuntimeError(f"expand({_type(self)}{{{list(shape)}}}, size={list(size)}): the number of sizes provided "
                           f"({len(size)}) must be greater or equal to the number of dimensions in the tensor "
                           f"({len(shape)})")
    for i in range(len(size) - 1, -1, -1):
        have, want = shape[i - lead] if i >= lead else 1, size[i]
        if want == -1 and i < lead:
            raise RuntimeError(f"The expanded size of the tensor ({want}) isn't allowed in a leading, non-existing "
                               f"dimension {i}")
        if want not in (-1, have) and have != 1 or want < -1:
            raise RuntimeError(f"The expanded size of the tensor ({want}) must match the existing size ({have}) at "
                               f"non-singleton dimension {i}.  Target sizes: {list(size)}.  Tensor sizes: "
                               f"{list(shape)}")


class ExpandAs(Op):
    """Expanded to the shape of another tensor."""

    schema = "expand_as(Tensor(a) self, Tensor other) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, other):
        return aten.expand(self, shape_of(other))


class BroadcastTo(Op):
    """Expanded to a shape."""

    schema = "broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, size):
        return aten.expand(self, size)


class BroadcastTensors(Op):
    """Tensors expanded to the one shape that all of them fit."""

    schema = "broadcast_tensors(Tensor[] tensors) -> Tensor[]"
    internal = "callers.py gathers the tensors"

    def body(tensors):
        shape: tuple[int, ...] = ()
        for t in tensors:
            shape = geometry.broadcast_shapes(shape, shape_of(t))
        return tuple([t if shape_of(t) == shape else aten.expand(t, shape) for t in tensors])


def refolded(self, shape):
    """The same memory in another shape, or None where its strides do not allow that."""
    view = in_rows(self, shape)
    if view is not None:
        return view
    strides = geometry.view_strides(shape_of(self), strides_of(self), shape)
    return None if strides is None else window_of(self, shape, strides, offset_of(self))


def viewed(self, size):
    """The same memory in another shape, of which one size may be left open; refused where there is no such view."""
    view = refolded(self, geometry.infer_size(size, numel_of(self)))
    if view is None:
        raise RuntimeError("view size is not compatible with input tensor's size and stride (at least one dimension "
                           "spans across two contiguous subspaces). Use .reshape(...) instead.")
    return view


class View(Op):
    """Another shape over the same memory, where strides allow it."""

    schema = "view(Tensor(a) self, SymInt[] size) -> Tensor(a)"
    variants = "method"

    def view(self: Tensor, size):
        return viewed(self, size)

    def grad_self(grad, self_shape):
        return dispatcher.call(_RESHAPE, (grad, self_shape))


class ViewAs(Op):
    """view() in the shape of another tensor."""

    schema = "view_as(Tensor(a) self, Tensor other) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, other):
        return aten.view(self, shape_of(other))


class UnsafeView(Op):
    """view() of a tensor nobody else holds, which therefore counts as new."""

    schema = "_unsafe_view(Tensor self, SymInt[] size) -> Tensor"
    node = "UnsafeViewBackward0"

    def view(self: Tensor, size):
        return viewed(self, size)

    def grad_self(grad, self_shape):
        return dispatcher.call(_RESHAPE, (grad, self_shape))


class ReshapeAlias(Op):
    """reshape() where strides allow a view that view() would not find."""

    schema = "_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)"
    node = "ReshapeAliasBackward0"

    def view(self: Tensor, size, stride):
        return window_of(self, size, stride, offset_of(self))

    def grad_self(grad, self_shape):
        return dispatcher.call(_RESHAPE, (grad, self_shape))


class Reshape(Op):
    """Another shape, as a view where possible and as a copy elsewhere."""

    schema = "reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, shape):
        wanted = geometry.infer_size(shape, numel_of(self))
        if is_row_major(self):
            return dispatcher.call(_VIEW, (self, shape))
        strides = geometry.view_strides(shape_of(self), strides_of(self), wanted)
        if strides is None:
            return dispatcher.call(_UNSAFE_VIEW, (aten.clone(self, memory_format=contiguous_format), wanted))
        if self.is_contiguous():
            return dispatcher.call(_VIEW, (self, shape))
        return dispatcher.call(_RESHAPE_ALIAS, (self, wanted, strides))


class ReshapeAs(Op):
    """reshape() to the shape of another tensor."""

    schema = "reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, other):
        return aten.reshape(self, shape_of(other))


class Flatten(Op):
    """A run of dimensions made one."""

    schema = "flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, start_dim, end_dim):
        shape = shape_of(self)
        start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
        if start > end:
            raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
        if not shape:
            return aten.reshape(self, (1,))
        if start == end:
            return self
        count = 1
        for n in shape[start:end + 1]:
            count *= n
        wanted = (*shape[:start], count, *shape[end + 1:])
        strides = geometry.view_strides(shape, strides_of(self), wanted)
        if strides is None:
            return aten._unsafe_view(aten.clone(self, memory_format=contiguous_format), wanted)
        return aten.view(self, wanted) if self.is_contiguous() else aten._reshape_alias(self, wanted, strides)


class Unflatten(Op):
    """One dimension made several."""

    schema = "unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor, dim, sizes):
        shape = shape_of(self)
        dim = wrap_dim(dim, len(shape))
        if not sizes:
            raise RuntimeError("unflatten: sizes must be non-empty")
        if not shape:
            raise RuntimeError(f"unflatten got an unexpected error:\nDimension specified as {dim} but tensor has no "
                               "dimensions")
        try:
            inner = geometry.infer_size(sizes, shape[dim])
        except RuntimeError as error:
            if "is invalid for input" not in str(error):
                raise
            raise RuntimeError(f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
                               f"({shape[dim]}) in the input tensor") from None
        return aten.view(self, (*shape[:dim], *inner, *shape[dim + 1:]))


class Ravel(Op):
    """All elements in one dimension."""

    schema = "ravel(Tensor(a) self) -> Tensor(a)"
    variants = "method"

    def body(self: Tensor):
        return aten.view(self if self.is_contiguous() else aten.contiguous(self), (-1,))


def _type(t) -> str:
    return f"torch.{t.dtype.short}Tensor"


# The ops called above, looked up once.
_RESHAPE = Reshape.op
_RESHAPE_ALIAS = ReshapeAlias.op
_UNSAFE_VIEW = UnsafeView.op
_VIEW = View.op
