"""What autocast does on each thread: for which kinds of device, to which type; and the casts that are kept."""

from __future__ import annotations

import threading
import weakref

from . import dtype as dtypes
from . import modes
from .device import PRIVATEUSE1, device
from .dtype import DType
from .tensor import Tensor
from .user_warning import warn_user

# The kinds of device that autocast can be on for, in torch's order, and the type that each casts to.
AVAILABLE = {
    "cpu": dtypes.bfloat16, "cuda": dtypes.float16, "mtia": dtypes.float16, "maia": dtypes.bfloat16,
    "xpu": dtypes.float16, "ipu": dtypes.float16, "hpu": dtypes.bfloat16, "xla": dtypes.bfloat16,
    PRIVATEUSE1: dtypes.float16, "mps": dtypes.float16,
}
UNNAMED_DTYPES = {"hip": dtypes.float16}  # of a kind that has a type, and that autocast is not available for


class _State(threading.local):
    """One thread's choices; for the CPU, ``modes`` says whether autocast is on."""

    def __init__(self):
        self.enabled: set[str] = set()
        self.dtypes = {**AVAILABLE, **UNNAMED_DTYPES}
        self.nesting = 0
        self.caches = True


_state = _State()
_casts: dict[tuple[int, DType], tuple[weakref.ref[Tensor], Tensor]] = {}


def kind_of(device_type: str) -> str:
    """The kind of device that a string names; the program's own is known by torch's name for it."""
    place = device(device_type)
    own = device(PRIVATEUSE1)
    return PRIVATEUSE1 if place.type == own.type else place.type


def _check(function: str, name: str, value, kind: type, position: int = 1) -> None:
    if not isinstance(value, kind):
        expected = "torch.dtype" if kind is DType else kind.__name__
        raise TypeError(f"{function}(): argument '{name}' (position {position}) must be {expected}, not "
                        f"{type(value).__name__}")


def _kind_with_key(device_type: str) -> str:
    kind = kind_of(device_type)
    if kind not in AVAILABLE:
        raise RuntimeError("unknown device type for autocast in get_autocast_dispatch_key_from_device_type")
    return kind


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast knows a kind of device."""
    _check("_is_autocast_available", "device_type", device_type, str)
    return kind_of(device_type) in AVAILABLE


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """Whether autocast is on for a kind of device, on this thread."""
    _check("is_autocast_enabled", "device_type", device_type, str)
    kind = _kind_with_key(device_type)
    return bool(modes.is_autocast()) if kind == "cpu" else kind in _state.enabled


def is_any_autocast_enabled() -> bool:
    """Whether autocast is on for any kind of device, on this thread."""
    return bool(modes.is_autocast() or _state.enabled)


def set_autocast_enabled(device_type: str | bool, enabled: bool | None = None) -> None:
    """Switch autocast for a kind of device, CUDA if none is named, on this thread."""
    if enabled is None:
        _check("set_autocast_enabled", "enabled", device_type, bool)
        device_type, enabled = "cuda", device_type
    _check("set_autocast_enabled", "device_type", device_type, str)
    _check("set_autocast_enabled", "enabled", enabled, bool, 2)
    kind = _kind_with_key(device_type)
    if kind == "cpu":
        modes.set_autocast(enabled)
    elif enabled:
        _state.enabled.add(kind)
    else:
        _state.enabled.discard(kind)


def get_autocast_dtype(device_type: str) -> DType:
    """The type that autocast uses on a kind of device."""
    _check("get_autocast_dtype", "device_type", device_type, str)
    dtype = _state.dtypes.get(kind_of(device_type))
    if dtype is None:
        raise RuntimeError("unsupported scalarType")
    return dtype


def set_autocast_dtype(device_type: str, dtype: DType) -> None:
    """Choose the type that autocast uses on a kind of device, on this thread."""
    _check("set_autocast_dtype", "device_type", device_type, str)
    _check("set_autocast_dtype", "dtype", dtype, DType, 2)
    _state.dtypes[kind_of(device_type)] = dtype


def cpu_dtype() -> DType:
    """The same for the CPU, without a question about devices."""
    return _state.dtypes["cpu"]


def autocast_increment_nesting() -> int:
    """Count one more context on this thread."""
    _state.nesting += 1
    return _state.nesting


def autocast_decrement_nesting() -> int:
    """Count one context less on this thread."""
    _state.nesting -= 1
    return _state.nesting


def is_autocast_cache_enabled() -> bool:
    """Whether casts of parameters are kept until the outermost context ends."""
    return _state.caches


def set_autocast_cache_enabled(enabled: bool) -> None:
    """Choose whether casts of parameters are kept."""
    _state.caches = _bool(enabled)


def clear_autocast_cache() -> None:
    """Drop all casts that are kept."""
    _casts.clear()


def kept_cast(tensor: Tensor, dtype: DType) -> Tensor | None:
    """A parameter in another type, if it was cast before and kept."""
    entry = _casts.get((id(tensor), dtype))
    return entry[1] if entry is not None and entry[0]() is tensor else None


def keep_cast(tensor: Tensor, cast: Tensor) -> None:
    """Keep a parameter's cast. The parameter itself may go: its number is then another's, whom the cast is not for."""
    _casts[id(tensor), cast.dtype] = weakref.ref(tensor), cast


def _bool(enabled) -> bool:
    if not isinstance(enabled, bool):
        raise TypeError(f"enabled must be a bool (got {type(enabled).__name__})")
    return enabled


# torch's older functions, one set for each kind of device, that warn of their successors.
OLDER_NAMES = {"cpu": "cpu", "gpu": "cuda", "ipu": "ipu", "xla": "xla"}


def _older_functions(name: str, kind: str) -> dict:
    def deprecate(old: str, new: str) -> None:
        warn_user(f"torch.{old} is deprecated. Please use torch.{new} instead.", DeprecationWarning, each_time=True)

    def is_enabled() -> bool:
        deprecate(f"is_autocast_{name}_enabled()", f"is_autocast_enabled('{kind}')")
        return is_autocast_enabled(kind)

    def set_enabled(enabled: bool, /) -> None:
        _bool(enabled)
        deprecate(f"set_autocast_{name}_enabled(enabled)", f"set_autocast_enabled('{kind}', enabled)")
        set_autocast_enabled(kind, enabled)

    def get_dtype() -> DType:
        deprecate(f"get_autocast_{name}_dtype()", f"get_autocast_dtype('{kind}')")
        return get_autocast_dtype(kind)

    def set_dtype(dtype: DType, /) -> None:
        if not isinstance(dtype, DType):
            raise TypeError(f"dtype must be a torch.dtype (got {type(dtype).__name__})")
        deprecate(f"set_autocast_{name}_dtype(dtype)", f"set_autocast_dtype('{kind}', dtype)")
        set_autocast_dtype(kind, dtype)

    functions = {f"get_autocast_{name}_dtype": get_dtype, f"set_autocast_{name}_dtype": set_dtype}
    if name != "gpu":  # torch has none of these for it
        functions |= {f"is_autocast_{name}_enabled": is_enabled, f"set_autocast_{name}_enabled": set_enabled}
    for public_name, function in functions.items():
        function.__name__ = function.__qualname__ = public_name
    return functions


OLDER: dict = {}
for _name, _kind in OLDER_NAMES.items():
    OLDER |= _older_functions(_name, _kind)
