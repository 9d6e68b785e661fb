"""Random states of devices other than the processor, of which there are none here."""

from __future__ import annotations

from ...core.tensor import Tensor


class DefaultDeviceType:
    """The kind of device that is assumed where no argument of a checkpoint lies on one."""

    _kind = "cpu"

    @staticmethod
    def set_device_type(device: str = "cuda") -> None:
        DefaultDeviceType._kind = device

    @staticmethod
    def get_device_type() -> str:
        return DefaultDeviceType._kind


def get_device_states(*args) -> tuple[list[int], list[Tensor]]:
    """The devices that arguments lie on, and the states of their generators."""
    return [], []


def set_device_states(devices, states, *, device_type: str | None = None) -> None:
    """Set the generators of devices to what get_device_states() gave."""
