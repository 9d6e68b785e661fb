"""torch's questions about kinds of tensors, as functions."""

from __future__ import annotations

from ..core.tensor import Tensor
from .install import FUNCTIONS
from .tensor_members import NO_BACKEND, NO_KERNEL, dequantize


def get_device(input: Tensor) -> int:
    """The number of a tensor's device, -1 on the CPU."""
    return input.get_device()


def is_distributed(input: Tensor) -> bool:
    """Whether a tensor is spread over processes; none is."""
    return False


def is_vulkan_available() -> bool:
    """Whether tensors can be on a Vulkan device."""
    return False


def _dequantize(tensor):
    """A tensor in float32; it is not quantised."""
    if isinstance(tensor, (list, tuple)):
        raise NotImplementedError(NO_BACKEND.format("dequantize.tensors", "CPU"))
    return dequantize(tensor)


def _member(name: str):
    def ask(input, *args, **kwargs):
        return getattr(input, name)(*args, **kwargs)
    ask.__name__ = ask.__qualname__ = name
    return ask


_dequantize.__name__ = _dequantize.__qualname__ = "dequantize"
FUNCTIONS.update(get_device=get_device, is_distributed=is_distributed, is_vulkan_available=is_vulkan_available,
                 dequantize=_dequantize)
FUNCTIONS.update({name: _member(name) for name in NO_KERNEL if name.startswith(("q_", "int_repr"))})
