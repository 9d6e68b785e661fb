"""torch.utils.dlpack: tensors handed to other libraries and taken from them, without copying."""

from __future__ import annotations

from enum import IntEnum

from ..ops.python.exchange import from_dlpack, to_dlpack

__all__ = ["DLDeviceType", "from_dlpack", "to_dlpack"]


# Kinds of devices, in DLPack's numbers.
DLDeviceType = IntEnum("DLDeviceType", {
    "kDLCPU": 1, "kDLCUDA": 2, "kDLCUDAHost": 3, "kDLOpenCL": 4, "kDLVulkan": 7, "kDLMetal": 8, "kDLVPI": 9,
    "kDLROCM": 10, "kDLROCMHost": 11, "kDLExtDev": 12, "kDLCUDAManaged": 13, "kDLOneAPI": 14, "kDLWebGPU": 15,
    "kDLHexagon": 16, "kDLMAIA": 17})
