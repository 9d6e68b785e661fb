"""torch._C._functorch: batched tensors taken apart and put together."""

from __future__ import annotations

from enum import Enum

from ..core.tensor import Tensor
from ..dispatch import batch_levels
from ..dispatch.batch_mapping import add_batch_dim as _add_batch_dim
from ..dispatch.batch_mapping import remove_batch_dim as _remove_batch_dim
from ..dispatch.batched import Batched, unwrap

__all__ = ["TransformType", "_add_batch_dim", "_remove_batch_dim", "_is_vmap_fallback_enabled",
           "_set_vmap_fallback_enabled", "_unwrap_batched", "_vmap_decrement_nesting",
           "_vmap_increment_nesting", "current_level", "get_unwrapped", "is_batchedtensor",
           "is_functorch_wrapped_tensor", "is_legacy_batchedtensor", "maybe_current_level", "maybe_get_bdim",
           "maybe_get_level"]

TransformType = Enum("TransformType", "Torch Vmap Grad Jvp Functionalize", start=0, module=__name__)
_vmap_increment_nesting = batch_levels.push
_vmap_decrement_nesting = batch_levels.pop
_may_fall_back = True  # to one call per member; kept and told, as vmap never does so here


def _is_vmap_fallback_enabled() -> bool:
    return _may_fall_back


def _set_vmap_fallback_enabled(enabled: bool) -> None:
    global _may_fall_back
    _may_fall_back = bool(enabled)


def is_batchedtensor(tensor: Tensor) -> bool:
    """Whether a tensor stands for the members of a batch."""
    return isinstance(tensor._mt_kind, Batched) and tensor._mt_kind.dim is not None


def is_legacy_batchedtensor(tensor: Tensor) -> bool:
    """Whether a tensor is of the vmap before this one, of which there are none."""
    return False


def is_functorch_wrapped_tensor(tensor: Tensor) -> bool:
    """Whether a tensor belongs to a level of vmap."""
    return isinstance(tensor._mt_kind, Batched)


def get_unwrapped(tensor: Tensor) -> Tensor:
    """The whole of a batch, its batch dimension wherever it is."""
    if not is_functorch_wrapped_tensor(tensor):
        raise RuntimeError("No wrappers present!")
    return tensor._mt_kind.value


def _unwrap_batched(tensor: Tensor, level: int) -> tuple[Tensor, int | None]:
    """The whole of a batch at a level, and its batch dimension."""
    return unwrap(tensor, level)


def maybe_get_bdim(tensor: Tensor) -> int:
    """The batch dimension of a tensor, -1 where it has none."""
    return tensor._mt_kind.dim if is_batchedtensor(tensor) else -1


def maybe_get_level(tensor: Tensor) -> int:
    """The level of a tensor, -1 where it has none."""
    return tensor._mt_kind.level if is_functorch_wrapped_tensor(tensor) else -1


def maybe_current_level() -> int | None:
    """The number of the innermost level, None outside of all."""
    level = batch_levels.innermost()
    return None if level is None else level.number


def current_level() -> int:
    """The number of the innermost level."""
    level = maybe_current_level()
    if level is None:
        raise RuntimeError("current_level() is asked for inside of a function that is transformed, as by vmap")
    return level
