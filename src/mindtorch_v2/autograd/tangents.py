# cython: annotation_typing=False
"""The tangents of tensors, read and written: views share them with their base, as they share its memory."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import forward_levels, memory_overlap, modes
from ..core.slots import Work
from ..core.tensor import Tensor, offset_of, place_of, shape_of, strides_of
from .view_replay import maker_of


def levels_of(tensor: Tensor) -> list[int]:
    """The levels at which a tensor, or what it is a view of, has a tangent that may be seen now."""
    if tensor._mt_tangents is None and (tensor._mt_base is None or tensor._mt_base._mt_tangents is None):
        return []
    return [level for level in range(forward_levels.depth())
            if forward_levels.visible(level) and tangent_at(tensor, level) is not None]


def is_differentiated(tensor: Tensor) -> bool:
    """Whether anybody wants to know a derivative by a tensor, going back or forward."""
    return tensor._mt_requires and modes.is_grad_enabled() or bool(levels_of(tensor))


def tangent_of(tensor: Tensor, level: int) -> Tensor | None:
    """The tangent of a tensor at a level, if it may be seen now."""
    return tangent_at(tensor, level) if forward_levels.visible(level) else None


def tangent_at(tensor: Tensor, level: int) -> Tensor | None:
    """The tangent of a tensor at a level; a view whose base was given one meanwhile shows its part of that."""
    tangents, base = tensor._mt_tangents, tensor._mt_base
    if tangents is not None and level in tangents.by_level:
        return tangents.by_level[level]
    if base is None or base._mt_tangents is None:
        return None
    whole = base._mt_tangents.by_level.get(level)
    if whole is None:
        return None
    with forward_levels.below(level):
        part = _part(whole, tensor)
    forward_levels.hold(tensor, level, part)
    return part


def _part(whole: Tensor, view: Tensor) -> Tensor:
    """Of the tangent of a base, what belongs to a view of it."""
    make = maker_of(view)
    if make is not None:
        return make(whole)
    return Work.as_strided(whole, shape_of(view), strides_of(view), offset_of(view))


def set_tangent(tensor: Tensor, level: int, tangent: Tensor) -> None:
    """Give a tensor a tangent, laid out in memory as the tensor is, so that a view of one is a view of both."""
    if tangent_at(tangent, level) is not None:
        raise RuntimeError("Setting a forward grad that itself has a forward gradient at the same level"
                           f"{level} is not supported.")
    if tensor.shape != tangent.shape:
        raise RuntimeError("Trying to set a forward gradient that has a different size than that of the original "
                           f"Tensor, this is not supported. Tensor is of size {list(tensor.shape)} while the given "
                           f"forward gradient is of size {list(tangent.shape)}.")
    with forward_levels.below(level):
        forward_levels.hold(tensor, level, _laid_out_as(tensor, tangent))


def write_tangent(tensor: Tensor, level: int, tangent: Tensor) -> None:
    """The tangent of a tensor that was written in place: it goes where the old one was, and into the base's."""
    with forward_levels.below(level):
        before = tangent_at(tensor, level)
        if before is None and tensor._mt_base is not None and _asks_base(tensor, level):
            forward_levels.hold(tensor._mt_base, level, _zeros_for_base(tensor._mt_base, tangent))
            before = tangent_at(tensor, level)
        if before is tangent:
            return
        if before is not None and before.dtype is tangent.dtype and _batches(before) >= _batches(tangent):
            Work.copy_(before, tangent)
        else:
            forward_levels.hold(tensor, level, _laid_out_as(tensor, tangent))


def _asks_base(tensor: Tensor, level: int) -> bool:
    return tensor._mt_tangents is None or level not in tensor._mt_tangents.by_level


def _batches(tensor: Tensor) -> set[int]:
    """The levels of vmap at which a tensor is a member of a batch."""
    levels, kind = set(), tensor._mt_kind
    while hasattr(kind, "level"):
        levels.add(kind.level)
        kind = kind.value._mt_kind
    return levels


def _zeros_for_base(base: Tensor, tangent: Tensor) -> Tensor:
    """The tangent of a base until a part of it is written; of a batch, if the part is."""
    if tangent._mt_kind is not None:
        return Work.new_zeros(tangent, shape_of(base))
    return _zeros_as(base, tangent.dtype) if base._mt_kind is None else Work.zeros_like(base)


def copy_tangents(source: Tensor, alias: Tensor, without: Sequence[int] = ()) -> None:
    """Give another tensor on the same memory the tangents of a tensor, but for those of some levels."""
    for level in range(forward_levels.depth()):
        tangent = None if level in without else tangent_at(source, level)
        if tangent is not None or alias._mt_base is not None:
            forward_levels.hold(alias, level, tangent)


def _laid_out_as(tensor: Tensor, tangent: Tensor) -> Tensor:
    """A tangent with the strides and the offset of its tensor, where elements of that do not share memory."""
    if tensor._mt_kind is not None or tangent._mt_kind is not None or _is_laid_out_as(tensor, tangent) \
            or not memory_overlap.is_dense(tensor) and 0 in strides_of(tensor):
        return tangent
    return Work.copy_(_zeros_as(tensor, tangent.dtype), tangent)


def _is_laid_out_as(tensor: Tensor, tangent: Tensor) -> bool:
    if 0 in shape_of(tensor):
        return True
    sizes = [t._mt_storage.nbytes // t.dtype.itemsize for t in (tensor, tangent)]
    return offset_of(tensor) == offset_of(tangent) and sizes[0] == sizes[1] and all(
        a == b or size == 1 for a, b, size in zip(strides_of(tensor), strides_of(tangent), shape_of(tensor)))


def _zeros_as(tensor: Tensor, dtype) -> Tensor:
    """Zeros in a storage of their own, with a tensor's shape, strides and offset."""
    numel = tensor._mt_storage.nbytes // tensor.dtype.itemsize
    if numel == tensor.numel() and memory_overlap.is_dense(tensor):
        return Work.zero_(Work.empty_strided(shape_of(tensor), strides_of(tensor), dtype=dtype,
                                             device=place_of(tensor)))
    zeros = Work.zero_(Work.empty((numel,), dtype=dtype, device=place_of(tensor)))
    return Work.as_strided(zeros, shape_of(tensor), strides_of(tensor), offset_of(tensor))
