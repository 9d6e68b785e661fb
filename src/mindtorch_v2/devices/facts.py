# cython: annotation_typing=False
"""What the device of a tensor can do, for ops that go different ways by it: they name no device."""

from __future__ import annotations

from ..core.device import BACKENDS
from ..core.tensor import Tensor
from .cpu.kernels import KERNELS


def has_values(tensor: Tensor) -> bool:
    """Whether there are numbers in it: the device computes, and its answers can be read."""
    number = tensor._mt_storage.device
    return number == 0 or BACKENDS[number].has_values


class ValuesNeededError(NotImplementedError):
    """What torch raises where the shape of a result would depend on values that are not there."""

    def __init__(self, op: str) -> None:
        self.op = op
        super().__init__(f"aten::{op}: attempted to run this operator with Meta tensors, but there was no fake impl or "
                         "Meta kernel registered. Its result depends on values, which meta tensors do not have.")


def offers(tensor: Tensor, kernel: str) -> bool:
    """Whether its device has a kernel, which an op can do without by a longer way."""
    number = tensor._mt_storage.device
    return kernel in (KERNELS if number == 0 else BACKENDS[number].kernels)


def is_on_host(tensor: Tensor) -> bool:
    """Whether Python reads its memory as it stands."""
    return tensor._mt_storage.device == 0
