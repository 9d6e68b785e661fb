"""Where new tensors go when nobody says: ``with torch.device(...)``, set_default_device(), get_default_device()."""

from __future__ import annotations

import threading

from . import modes
from .device import CPU, device
from .mode_stack import TorchFunctionMode, pop
from .overrides import stacks
from .slots import Work

# The functions of torch that make tensors out of no tensor, by name; Work.constructors() has the functions themselves.
CONSTRUCTORS = frozenset("""
    arange as_tensor asarray bartlett_window blackman_window empty empty_permuted empty_strided eye full hamming_window
    hann_window kaiser_window linspace logspace ones rand randint randn randperm range scalar_tensor tensor
    tril_indices triu_indices zeros
""".split())


class DeviceContext(TorchFunctionMode):
    """Gives a device to the calls that make a tensor and name none."""

    def __init__(self, device_or_name: device | str):
        self.device = device(device_or_name)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func in Work.constructors() and (kwargs is None or kwargs.get("device") is None):
            kwargs = {**(kwargs or {}), "device": self.device}
        return func(*args, **(kwargs or {}))


class _Default(threading.local):
    """The context that set_default_device() entered on this thread."""

    context: DeviceContext | None = None


_default = _Default()


def set_default_device(device: device | str | int | None) -> None:
    """Make new tensors on a device unless a call or a ``with torch.device(...)`` says otherwise; None ends that."""
    context = None if device is None else DeviceContext(device)
    if _default.context is not None:
        stacks.functions.remove(_default.context)
        modes.watch(-1)
    if context is not None:
        stacks.functions.insert(0, context)  # the outermost: modes and devices entered before stay inside it
        modes.watch(1)
    modes.set_function_modes(len(stacks.functions))
    _default.context = context


def get_default_device() -> device:
    """The device of the innermost ``with torch.device(...)``, else the default one."""
    for mode in reversed(stacks.functions):
        if isinstance(mode, DeviceContext):
            return mode.device
    return CPU


def enter(place: device) -> device:
    """What ``with torch.device(...)`` does first."""
    DeviceContext(place).__enter__()
    return place


def leave() -> None:
    """What it does last."""
    if not stacks.functions:
        raise RuntimeError("trying to pop from empty mode stack")
    pop(TorchFunctionMode)
