"""Whether only deterministic algorithms are wanted: all of ours are, so the wish is kept and told."""

from __future__ import annotations

_NAMES = ("default", "warn", "error")
_mode = 0


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for deterministic algorithms, or for none in particular."""
    if not isinstance(mode, bool):
        raise TypeError("_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not "
                        f"{type(mode).__name__}")
    set_deterministic_debug_mode(0 if not mode else 1 if warn_only else 2)


def are_deterministic_algorithms_enabled() -> bool:
    """Whether deterministic algorithms were asked for."""
    return _mode > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether others would only be warned of."""
    return _mode == 1


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The same by a number or a word: 0 or "default", 1 or "warn", 2 or "error"."""
    global _mode
    if not isinstance(debug_mode, (int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        if debug_mode not in _NAMES:
            raise RuntimeError("invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got "
                               f"{debug_mode}")
        debug_mode = _NAMES.index(debug_mode)
    if not 0 <= debug_mode < len(_NAMES):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}")
    _mode = debug_mode


def get_deterministic_debug_mode() -> int:
    """What was asked for, as a number."""
    return _mode
