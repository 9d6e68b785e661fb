"""Functions of positions that change or hide scores, evaluated for all positions at once.

torch maps such a function over single positions with vmap; here it gets index tensors of shapes (B, 1, 1, 1),
(1, H, 1, 1), (1, 1, Q, 1) and (1, 1, 1, KV), which broadcast. For functions made of elementwise ops and of indexing by
positions the result is the same.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import Enum

from ... import accelerator
from ...api.install import FUNCTIONS
from ...core.dtype import bool_
from ...core.tensor import Tensor

Mod = Callable[..., Tensor]
DIMS = 4  # batch, head, query, key


class _ModificationType(Enum):
    SCORE_MOD = 1
    MASK_MOD = 2
    UNKNOWN = 3


def _get_mod_type(fn: Mod) -> _ModificationType:
    """Whether a function takes a score beside positions; arguments with defaults do not count."""
    if hasattr(fn, "__code__"):
        count = fn.__code__.co_argcount - len(getattr(fn, "__defaults__", None) or ())
    else:
        parameters = inspect.signature(fn).parameters.values()
        count = sum(parameter.default is parameter.empty for parameter in parameters)
    if count not in (DIMS, DIMS + 1):
        raise AssertionError(f"Expected 4 or 5 positional args, got {count}")
    return _ModificationType.SCORE_MOD if count == DIMS + 1 else _ModificationType.MASK_MOD


def on_positions(fn: Mod, shape: tuple[int, ...], device, *scores: Tensor) -> Tensor:
    """A function's values at all positions of (B, H, Q, KV)."""
    positions = []
    for dim, size in enumerate(shape):
        ones = [1] * DIMS
        ones[dim] = size
        positions.append(FUNCTIONS["arange"](0, size, device=device).view(ones))
    return fn(*scores, *positions).expand(shape)


def noop_mask(batch: Tensor, head: Tensor, token_q: Tensor, token_kv: Tensor) -> Tensor:
    """Hides nothing."""
    return batch.new_ones(size=(), dtype=bool_, device=batch.device)


def _identity(score: Tensor, batch: Tensor, head: Tensor, token_q: Tensor, token_kv: Tensor) -> Tensor:
    return score


def or_masks(*mask_mods: Mod) -> Mod:
    """What any of these shows."""
    _check_callable(mask_mods)

    def or_mask(b: Tensor, h: Tensor, q_idx: Tensor, kv_idx: Tensor) -> Tensor:
        shown = b.new_zeros((), dtype=bool_)
        for mask in mask_mods:
            shown = shown | mask(b, h, q_idx, kv_idx)
        return shown

    return or_mask


def and_masks(*mask_mods: Mod) -> Mod:
    """What all of these show."""
    _check_callable(mask_mods)

    def and_mask(b: Tensor, h: Tensor, q_idx: Tensor, kv_idx: Tensor) -> Tensor:
        shown = b.new_ones((), dtype=bool_)
        for mask in mask_mods:
            shown = shown & mask(b, h, q_idx, kv_idx)
        return shown

    return and_mask


def _check_callable(mask_mods: tuple) -> None:
    if not all(callable(mod) for mod in mask_mods):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")


def default_device(device):
    """The device that was asked for, else the program's accelerator, else the CPU."""
    return accelerator.current_accelerator() or "cpu" if device is None else device


def create_mask(mod_fn: Mod, B: int | None, H: int | None, Q_LEN: int, KV_LEN: int,  # noqa: N803  torch's names
                device=None) -> Tensor:
    """The mask that a function describes: its own values, or where it leaves a score above minus infinity."""
    device = default_device(device)
    shape = (1 if B is None else B, 1 if H is None else H, Q_LEN, KV_LEN)
    if _get_mod_type(mod_fn) is _ModificationType.MASK_MOD:
        return on_positions(mod_fn, shape, device).contiguous()
    scores = on_positions(mod_fn, shape, device, FUNCTIONS["zeros"](shape, device=device))
    return FUNCTIONS["where"](FUNCTIONS["isneginf"](scores), False, True)
