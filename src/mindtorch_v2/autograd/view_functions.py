"""Tensor._view_func and its kin: what made a view, done to another base, or undone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..core.slots import Work
from ..core.tensor import Tensor, offset_of, shape_of, strides_of
from ..opdef.schema import TENSOR
from .view_replay import by_geometry, maker_of


def _view_func(self: Tensor, new_base: Tensor, symint_visitor_fn: Callable | None = None,
               tensor_visitor_fn: Callable | None = None) -> Tensor | None:
    """The same view of another base, if that lies in memory as this one's does."""
    if not isinstance(new_base, Tensor):
        raise TypeError(f"_view_func(): argument 'new_base' (position 1) must be Tensor, not {type(new_base).__name__}")
    if self._mt_base is None or _geometry(new_base) != _geometry(self._mt_base):
        return None
    return _view_func_unsafe(self, new_base, symint_visitor_fn, tensor_visitor_fn)


def _view_func_unsafe(self: Tensor, new_base: Tensor, symint_visitor_fn: Callable | None = None,
                      tensor_visitor_fn: Callable | None = None) -> Tensor | None:
    """The same view of another base, whatever that is."""
    if self._mt_base is None:
        return None
    visit = None
    if symint_visitor_fn is not None or tensor_visitor_fn is not None:
        visit = partial(_visited, symint_visitor_fn, tensor_visitor_fn)
    return (maker_of(self) or by_geometry(self))(new_base, visit)


def _rev_view_func_unsafe(self: Tensor, new_view: Tensor) -> Tensor | None:
    """The base as a view of another tensor that stands in the place of this one."""
    base = self._mt_base
    if base is None:
        return None
    if new_view.dtype is not base.dtype:
        count = new_view._mt_storage.nbytes // new_view.dtype.itemsize
        new_view = Work.as_strided(new_view, (count,), (1,), 0).view(base.dtype)
    return Work.as_strided(new_view, *_geometry(base)[:3])


def _geometry(t: Tensor) -> tuple:
    return shape_of(t), strides_of(t), offset_of(t), t.dtype


def _visited(of_int: Callable | None, of_tensor: Callable | None, op, args: tuple) -> tuple:
    """An op's arguments with other sizes and other tensors, the viewed one excepted."""
    changed = list(args)
    for i, param in enumerate(op.schema.params):
        value = args[i]
        if of_int is not None and param.text.startswith("SymInt") and value is not None:
            changed[i] = tuple(map(of_int, value)) if isinstance(value, (tuple, list)) else of_int(value)
        elif of_tensor is not None and param.kind == TENSOR and i != op.aliases and value is not None:
            changed[i] = of_tensor(value)
    return tuple(changed)
