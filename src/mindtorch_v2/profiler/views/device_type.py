"""Where an event ran; torch's enum, which here also equals its name."""

from __future__ import annotations

from enum import Enum


class DeviceType(Enum):
    """torch's kinds of device, by torch's numbers."""

    __module__ = "mindtorch_v2._C._autograd"
    CPU = 0
    CUDA = 1
    MKLDNN = 2
    OPENGL = 3
    OPENCL = 4
    IDEEP = 5
    HIP = 6
    FPGA = 7
    MAIA = 8
    XLA = 9
    Vulkan = 10
    Metal = 11
    XPU = 12
    MPS = 13
    MTIA = 19
    Meta = 14
    HPU = 15
    VE = 16
    Lazy = 17
    IPU = 18
    PrivateUse1 = 20

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value

    def __eq__(self, other) -> bool:
        return self is other or other == self.name

    def __hash__(self) -> int:
        return hash(self.name)


OF_NAME = {"cpu": DeviceType.CPU, "cuda": DeviceType.CUDA, "xpu": DeviceType.XPU, "mtia": DeviceType.MTIA,
           "hpu": DeviceType.HPU, "hip": DeviceType.HIP, "meta": DeviceType.Meta}


def type_of_name(name: str) -> DeviceType:
    """The kind of a device; a name that torch does not know is that of a program's own."""
    return OF_NAME.get(name, DeviceType.PrivateUse1)
