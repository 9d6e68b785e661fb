"""Several tensors made one: cat, stack and their relatives."""

from __future__ import annotations

from ...core.device import contiguous_format
from ...core.dtype import FLOATING
from ...core.geometry import wrap_dim
from ...core.promotion import result_type
from ...core.tensor import Tensor, blank, is_in_order, ndim_of, numel_of, shape_of, strides_of
from ...devices.kernel import run
from ...dispatch import dispatcher
from ...dispatch.aten import aten
from ...dispatch.on_device import allocate
from ...dispatch.out_argument import resize_output
from ...opdef.form import Op
from ...opdef.rules import Spec
from ..shared.layout import into
from ..shared.memory_format import lies_in, strides_in, suggested_format
from .slice import narrow
from .squeeze import Unsqueeze

IMAGE_DIMS = 4  # batch, channels, height, width: from here on channels may lie last


def _is_skipped(t) -> bool:
    """A one-dimensional empty tensor joins anything, as it always has."""
    return shape_of(t) == (0,)


def _joined_shape(tensors, dim: int) -> tuple[tuple[int, ...], int]:
    """The shape of cat() and its dimension counted from the front, or torch's complaint."""
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    shape = shape_of(tensors[0])
    if all([_is_skipped(t) for t in tensors]):
        return (0,), 0
    if shape and all([shape_of(t) == shape for t in tensors]):
        dim = wrap_dim(dim, len(shape))
        return (*shape[:dim], shape[dim] * len(tensors), *shape[dim + 1:]), dim
    for i, t in enumerate(tensors):
        if not t.dim():
            raise RuntimeError(f"zero-dimensional tensor (at position {i}) cannot be concatenated")
    first = next((t for t in tensors if not _is_skipped(t)), tensors[0])
    shape = shape_of(first)
    dim = wrap_dim(dim, len(shape))
    total = 0
    for i, t in enumerate(tensors):
        have = shape_of(t)
        if have == (0,):
            continue
        if len(have) != len(shape):
            raise RuntimeError(f"Tensors must have same number of dimensions: got {len(shape)} and {len(have)}")
        for d, (n, m) in enumerate(zip(shape, have)):
            if n != m and d != dim:
                raise RuntimeError(f"Sizes of tensors must match except in dimension {dim}. Expected size {n} but "
                                   "got size "
                                   f"{m} for tensor number {i} in the list.")
        total += have[dim]
    return (*shape[:dim], total, *shape[dim + 1:]), dim


def _are_alike(tensors):
    """Whether all have one shape, which is no scalar's, and one type, and lie in order."""
    if not tensors:
        return False
    first: Tensor = tensors[0]
    shape, dtype = shape_of(first), first.dtype
    for item in tensors:
        tensor: Tensor = item
        if tensor.dtype is not dtype or not is_in_order(tensor) or shape_of(tensor) != shape:
            return False
    return len(shape) > 0


def _same_layout(tensors) -> bool:
    """Whether all have one shape, one layout and one type, so that one geometry serves them all."""
    first = tensors[0]
    shape, strides, dtype = shape_of(first), strides_of(first), first.dtype
    return all([shape_of(t) == shape and strides_of(t) == strides and t.dtype is dtype for t in tensors])


def _common_format(tensors):
    """The memory format that all tensors suggest; C order where they differ."""
    if ndim_of(tensors[0]) < IMAGE_DIMS or is_in_order(tensors[0]):
        return contiguous_format
    chosen = suggested_format(tensors[0])
    return chosen if all([suggested_format(t) is chosen for t in tensors]) else contiguous_format


def _cat_into(out, tensors, dim: int) -> None:
    """torch's three ways: one dense copy, one slice that moves on, or a slice for each tensor."""
    if not numel_of(out):
        return
    dim = wrap_dim(dim, ndim_of(out))
    dtype = out.dtype
    skipped = any([_is_skipped(t) for t in tensors])
    memory_format = _common_format(tensors)
    plain = memory_format is contiguous_format
    dense = (dtype.category == FLOATING or dim == 0 and plain) and not skipped and lies_in(out, memory_format)
    if dense and all([t.dtype is dtype and lies_in(t, memory_format) for t in tensors]):
        run.concatenate(out, tensors, dim)
    elif not skipped and _same_layout(tensors) and tensors[0].dtype is dtype:
        narrow(out, dim, 0, shape_of(tensors[0])[dim])
        run.concatenate(out, tensors, dim)
    else:
        _cat_one_by_one(out, tensors, dim)


def _cat_one_by_one(out, tensors, dim: int) -> None:
    start = 0
    for t in tensors:
        if _is_skipped(t):
            continue
        length = shape_of(t)[dim]
        _copy_piece(narrow(out, dim, start, length), t)
        start += length


def _copy_piece(place, piece) -> None:
    if piece.dtype is place.dtype:
        run.copy(place, piece)
    else:  # gathered in its own type, then cast
        same = aten.empty_like(place, dtype=piece.dtype, memory_format=contiguous_format)
        run.copy(same, piece)
        aten.copy_(place, same)


class Cat(Op):
    """Tensors one after the other along a dimension."""

    schema = "cat(Tensor[] tensors, int dim=0) -> Tensor"
    tuned = "its body asks the rule, or checks as it goes"

    def meta(tensors, dim):
        shape, _ = _joined_shape(tensors, dim)
        dtype = tensors[0].dtype
        if any([t.dtype is not dtype for t in tensors]):
            dtype = result_type(*tensors)
        return Spec(shape, dtype, strides_in(shape, _common_format(tensors)))

    def body(tensors, dim):
        if dispatcher.is_unobserved() and _are_alike(tensors):
            shape, dim = _joined_shape(tensors, dim)
            out = blank(shape, tensors[0].dtype)
            run.concatenate(out, tensors, dim)
            return out
        out = allocate(Cat.meta(tensors, dim))
        _cat_into(out, tensors, dim)
        return out

    def grad_tensors(grad, tensors_shape, dim):
        parts, start = [], 0
        for shape in tensors_shape:
            if shape == (0,):
                parts.append(aten.zeros(shape, dtype=grad.dtype))
            else:
                dim = wrap_dim(dim, len(shape))
                parts.append(narrow(grad, dim, start, shape[dim]))
                start += shape[dim]
        return parts


class CatOut(Op):
    """cat() into a given tensor."""

    schema = "cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "spares_inputs"
    below = "writes its result itself"
    tuned = "its body asks the rule"

    def meta(tensors, dim, out):
        shape, _ = _joined_shape(tensors, dim)
        if tensors and result_type(*tensors).category > out.dtype.category:
            raise TypeError(f"torch.cat(): input types can't be cast to the desired output type {out.dtype.short}")
        return Spec(shape, out.dtype)

    def body(tensors, dim, out):
        resize_output(out, CatOut.meta(tensors, dim, out).shape)
        _cat_into(out, tensors, dim)
        return out


class Concat(Op):
    """cat() by another name."""

    schema = "concat(Tensor[] tensors, int dim=0) -> Tensor"
    variants = "out"

    def body(tensors, dim, out=None):
        return aten.cat(tensors, dim, **into(out))


class Concatenate(Op):
    """cat() by NumPy's name."""

    schema = "concatenate(Tensor[] tensors, int dim=0) -> Tensor"
    variants = "out"

    def body(tensors, dim, out=None):
        return aten.cat(tensors, dim, **into(out))


def _some(tensors, name: str):
    """The tensors themselves, if there are any."""
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return tensors


def _checked_stack(tensors, dim: int) -> int:
    shape = shape_of(_some(tensors, "stack")[0])
    dim = wrap_dim(dim, len(shape) + 1)
    for i, t in enumerate(tensors):
        if shape_of(t) != shape:
            raise RuntimeError(f"stack expects each tensor to be equal size, but got {list(shape)} at entry 0 and "
                               f"{list(shape_of(t))} at entry {i}")
    return dim


def _stacked_shape(tensors, dim: int) -> tuple[int, ...]:
    shape = shape_of(tensors[0])
    return (*shape[:dim], len(tensors), *shape[dim:])


class Stack(Op):
    """Tensors of one shape along a new dimension."""

    schema = "stack(Tensor[] tensors, int dim=0) -> Tensor"

    def body(tensors, dim):
        dim = _checked_stack(tensors, dim)
        if dispatcher.is_unobserved() and _are_alike(tensors):
            out = blank(_stacked_shape(tensors, dim), tensors[0].dtype)
            run.stack(out, tensors, dim)
            return out
        if dim < tensors[0].dim():  # side by side is the same memory as on top of each other
            return aten.view(dispatcher.call(_CAT, (tensors, dim)), _stacked_shape(tensors, dim))
        return dispatcher.call(_CAT, ([dispatcher.call(_UNSQUEEZE, (t, dim)) for t in tensors], dim))

    def grad_tensors(grad, tensors_shape, dim):
        return [aten.select(grad, dim, i) for i in range(len(tensors_shape))]


class StackOut(Op):
    """stack() into a given tensor."""

    schema = "stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)"
    overlap = "spares_inputs"
    below = "writes its result itself"

    def body(tensors, dim, out):
        dim = _checked_stack(tensors, dim)
        shape = _stacked_shape(tensors, dim)
        resize_output(out, shape)
        if dim < tensors[0].dim():
            flat = (*shape[:dim], shape[dim] * shape[dim + 1], *shape[dim + 2:])
            aten.cat(tensors, dim, out=aten.view(out, flat))
        else:
            aten.cat([aten.unsqueeze(t, dim) for t in tensors], dim, out=out)
        return out


class AtLeast1d(Op):
    """A scalar as a vector of one element."""

    schema = "atleast_1d(Tensor self) -> Tensor"
    internal = "callers.py chooses between one tensor and several"

    def body(self):
        return _at_least_1d(self)


class AtLeast1dSequence(Op):
    """atleast_1d() of several tensors."""

    schema = "atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]"
    internal = "callers.py chooses between one tensor and several"

    def body(tensors):
        return tuple([_at_least_1d(t) for t in tensors])


class AtLeast2d(Op):
    """A scalar or vector as a matrix of one row."""

    schema = "atleast_2d(Tensor self) -> Tensor"
    internal = "callers.py chooses between one tensor and several"

    def body(self):
        return _at_least_2d(self)


class AtLeast2dSequence(Op):
    """atleast_2d() of several tensors."""

    schema = "atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]"
    internal = "callers.py chooses between one tensor and several"

    def body(tensors):
        return tuple([_at_least_2d(t) for t in tensors])


class AtLeast3d(Op):
    """A tensor with at least three dimensions."""

    schema = "atleast_3d(Tensor self) -> Tensor"
    internal = "callers.py chooses between one tensor and several"

    def body(self):
        return _at_least_3d(self)


class AtLeast3dSequence(Op):
    """atleast_3d() of several tensors."""

    schema = "atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]"
    internal = "callers.py chooses between one tensor and several"

    def body(tensors):
        return tuple([_at_least_3d(t) for t in tensors])


def _at_least_1d(t):
    return t if t.dim() else aten.reshape(t, (1,))


def _at_least_2d(t):
    if t.dim() > 1:
        return t
    return aten.unsqueeze(t, 0) if t.dim() else aten.reshape(t, (1, 1))


def _at_least_3d(t):
    if t.dim() > 2:
        return t
    if t.dim() == 0:
        return aten.reshape(t, (1, 1, 1))
    return aten.unsqueeze(t if t.dim() == 2 else aten.unsqueeze(t, 0), -1)


class Hstack(Op):
    """Side by side."""

    schema = "hstack(Tensor[] tensors) -> Tensor"
    variants = "out"

    def body(tensors, out=None):
        tensors = aten.atleast_1d(_some(tensors, "hstack"))
        return aten.cat(tensors, 0 if tensors[0].dim() == 1 else 1, **into(out))


class Vstack(Op):
    """One above the other."""

    schema = "vstack(Tensor[] tensors) -> Tensor"
    variants = "out"

    def body(tensors, out=None):
        return aten.cat(aten.atleast_2d(_some(tensors, "vstack")), 0, **into(out))


class RowStack(Op):
    """vstack() by another name."""

    schema = "row_stack(Tensor[] tensors) -> Tensor"
    variants = "out"

    def body(tensors, out=None):
        return aten.vstack(tensors, **into(out))


class Dstack(Op):
    """One behind the other."""

    schema = "dstack(Tensor[] tensors) -> Tensor"
    variants = "out"

    def body(tensors, out=None):
        return aten.cat(aten.atleast_3d(_some(tensors, "dstack")), 2, **into(out))


class ColumnStack(Op):
    """Vectors as columns, side by side."""

    schema = "column_stack(Tensor[] tensors) -> Tensor"
    variants = "out"

    def body(tensors, out=None):
        columns = [aten.reshape(t, (t.numel(), 1)) if t.dim() <= 1 else t for t in _some(tensors, "column_stack")]
        return aten.hstack(columns, **into(out))


# The ops called above, looked up once.
_CAT = Cat.op
_UNSQUEEZE = Unsqueeze.op
