"""Tensors between accelerators. None of it is in a PyTorch built without one, which says so in these words."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.device import as_device
from ...core.tensor import Tensor

BUFFER_BYTES = 10485760  # torch's default size of the pieces that are sent


def accelerator_index(device) -> None:
    """Check that a device is no CPU; numbers count accelerators."""
    if isinstance(device, (int, float)) or device is None:
        return
    place = as_device(device)
    if place.type == "cpu":
        raise ValueError(f"Expected a non cpu device, but got: {place}")


def _without(name: str):
    """A function of torch's compiled half that CPU builds lack."""
    return AttributeError(f"module 'torch._C' has no attribute '{name}'")


def broadcast(tensor: Tensor, devices=None, *, out=None) -> list[Tensor]:
    """A tensor on several devices."""
    raise _without("_broadcast")


def broadcast_coalesced(tensors: Sequence[Tensor], devices, buffer_size: int = BUFFER_BYTES) -> list[list[Tensor]]:
    """Several tensors on several devices."""
    raise _without("_broadcast_coalesced")


def scatter(tensor: Tensor, devices=None, chunk_sizes=None, dim: int = 0, streams=None, *, out=None) -> list[Tensor]:
    """Parts of a tensor on several devices."""
    for device in devices or ():
        accelerator_index(device)
    raise _without("_scatter")


def gather(tensors: Sequence[Tensor], dim: int = 0, destination=None, *, out=None) -> Tensor:
    """Parts on several devices as one tensor."""
    raise _without("_gather")


def reduce_add(inputs: Sequence[Tensor], destination=None) -> Tensor:
    """The sum of tensors on several devices."""
    raise AssertionError("reduce_add expects all inputs to be on GPUs, but input 0 is on CPU")


def reduce_add_coalesced(inputs: Sequence[Sequence[Tensor]], destination=None,
                         buffer_size: int = BUFFER_BYTES) -> tuple[Tensor, ...]:
    """The sums of several tensors, each on several devices."""
    return tuple([reduce_add(each, destination) for each in zip(*inputs)])
