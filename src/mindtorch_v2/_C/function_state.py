"""Who is asked by __torch_function__ on this thread, as torch._C tells and sets it."""

from __future__ import annotations

import enum

from ..core import modes


class _TorchFunctionState(enum.IntEnum):
    """Everybody, modes alone, or nobody."""

    ENABLED = 0
    SUBCLASSES_DISABLED = 1
    ALL_DISABLED = 2


def _get_torch_function_state() -> _TorchFunctionState:
    return _TorchFunctionState(modes.function_state())


def _set_torch_function_state(state: _TorchFunctionState) -> None:
    modes.set_function_state(_TorchFunctionState(state).value)
