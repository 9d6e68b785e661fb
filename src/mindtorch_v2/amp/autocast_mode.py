"""autocast: a block, or a function, in which ops run in the type that suits them."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec

import numpy as np

from ..core import autocast as state
from ..core.device import _get_privateuse1_backend_name
from ..core.dtype import DType, bfloat16, float16, float64
from ..core.tensor import Tensor

_ROOT = __name__.partition(".")[0]
NO_CUDA = "CUDA is not available or torch_xla is imported. Disabling autocast."


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast knows a kind of device."""
    return state.is_autocast_available(device_type)


def amp_definitely_not_available() -> bool:
    """Whether there is neither CUDA, which this package has not, nor XLA."""
    return find_spec("torch_xla") is None


class autocast:  # noqa: N801  torch's name
    """Inside, products of matrices run in a half type, and what would suffer from one in float32."""

    def __init__(self, device_type: str, dtype: DType | None = None, enabled: bool = True,
                 cache_enabled: bool | None = None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.fast_dtype = state.get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.custom_backend_name = _get_privateuse1_backend_name()
        supported = [bfloat16, float16]
        if device_type == self.custom_backend_name:
            supported = _own_dtypes(device_type)
        self._cache_enabled = state.is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        refusal = self._refusal(supported) if enabled else ""
        if refusal:
            warnings.warn(refusal, stacklevel=2 if type(self) is autocast else 3)
        self._enabled = enabled and not refusal
        self._outside: list[tuple] = []  # what was chosen before each time that this was entered

    def _refusal(self, supported: list[DType]) -> str:
        """Why autocast stays off although it was asked for."""
        if self.device == "cuda":
            return NO_CUDA if amp_definitely_not_available() else ""
        if self.fast_dtype in supported:
            return ""
        name = self.device if self.device == self.custom_backend_name else self.device.upper()
        return (f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n"
                f"{name} Autocast only supports dtypes of {', '.join(map(str, supported))} currently.")

    def __enter__(self) -> autocast:
        self._outside.append((state.is_autocast_enabled(self.device), state.get_autocast_dtype(self.device),
                              state.is_autocast_cache_enabled()))
        self._choose(self._enabled, self.fast_dtype, self._cache_enabled)
        state.autocast_increment_nesting()
        return self

    def __exit__(self, *failure) -> bool:
        if state.autocast_decrement_nesting() == 0:
            state.clear_autocast_cache()
        self._choose(*self._outside.pop())
        return False

    def _choose(self, enabled: bool, dtype: DType, caches: bool) -> None:
        state.set_autocast_enabled(self.device, enabled)
        state.set_autocast_dtype(self.device, dtype)
        state.set_autocast_cache_enabled(caches)

    def __call__(self, func: Callable) -> Callable:
        if not callable(func):
            raise TypeError(f"autocast()(func) requires a callable, but got {type(func).__name__}. "
                            "Did you mean to use autocast as a context manager? For example:\n"
                            "    with torch.autocast(device_type=...):\n        output = model(input)")

        @functools.wraps(func)
        def inside(*args, **kwargs):
            with self:
                return func(*args, **kwargs)

        inside.__dict__["__script_unsupported"] = "@autocast() decorator is not supported in script mode"
        return inside


def _own_dtypes(name: str) -> list[DType]:
    """The types that the program's own device says it can autocast to."""
    message = (f"Tried to use AMP with the `{name}` backend, but the backend has not registered a module or  the "
               "module miss some necessary funcs. The backend should register a module by "
               "`torch._register_device_module`, and the module must have these funcs: \n"
               "`get_amp_supported_dtype() -> List[torch.dtype]`. \n")
    module = getattr(sys.modules[_ROOT], name, None)
    if module is None:
        raise AssertionError(message)
    if not hasattr(module, "get_amp_supported_dtype"):
        raise AssertionError(message + "But the func `get_amp_supported_dtype` is missing. \n")
    return module.get_amp_supported_dtype()


def autocast_decorator(autocast_instance: autocast, func: Callable) -> Callable:
    """A function that runs in a mode."""
    @functools.wraps(func)
    def decorate_autocast(*args, **kwargs):
        with autocast_instance:
            return func(*args, **kwargs)
    return decorate_autocast


def _enter_autocast(*choices) -> autocast:
    """An autocast that is entered here and left by _exit_autocast."""
    return autocast(*choices).__enter__()


def _exit_autocast(mode: autocast) -> None:
    mode.__exit__(None, None, None)


def _cast(value, device_type: str, dtype: DType):
    """Tensors of a device, alone or in containers, in another type; what autocast leaves alone stays as it is."""
    if isinstance(value, Tensor):
        is_eligible = value.is_floating_point() and value.device.type == device_type and value.dtype is not float64
        return value.to(dtype) if is_eligible else value
    if isinstance(value, (str, bytes, np.ndarray)) or not isinstance(value, Iterable):
        return value
    if isinstance(value, Mapping):
        return {_cast(key, device_type, dtype): _cast(item, device_type, dtype) for key, item in value.items()}
    items = (_cast(item, device_type, dtype) for item in value)
    return type(value)(items) if isinstance(value, (list, tuple)) else items


def _check_device_type(device_type) -> None:
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def custom_fwd(fwd: Callable | None = None, *, device_type: str, cast_inputs: DType | None = None) -> Callable:
    """Decorates ``forward`` of a Function: under autocast, its inputs are cast and it runs without, if so wished."""
    _check_device_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(ctx, *args, **kwargs):
        is_on = state.is_autocast_enabled(device_type)
        ctx._dtype = state.get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = is_on and cast_inputs is None
        if not is_on or cast_inputs is None:
            return fwd(ctx, *args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(ctx, *_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs))

    return forward


def custom_bwd(bwd: Callable | None = None, *, device_type: str) -> Callable:
    """Decorates ``backward`` of a Function: autocast is what it was in its ``forward``."""
    _check_device_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def backward(ctx, *args, **kwargs):
        with autocast(device_type, enabled=ctx._fwd_used_autocast, dtype=ctx._dtype):
            return bwd(ctx, *args, **kwargs)

    return backward
