"""torch.utils._foreach_utils: which devices have list and fused kernels, and tensors by device and type."""

from __future__ import annotations

from ..core.device import device
from ..core.dtype import DType
from ..core.tensor import Tensor


def _get_foreach_kernels_supported_devices() -> list[str]:
    """Devices on which list kernels are faster than a loop, so that optimizers choose them by themselves."""
    return ["cuda", "xpu", "mtia", "privateuseone"]


def _get_fused_kernels_supported_devices() -> list[str]:
    return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


def _group_tensors_by_device_and_dtype(
        tensorlistlist: list[list[Tensor | None]], with_indices: bool = False,
) -> dict[tuple[device, DType], tuple[list[list[Tensor | None]], list[int]]]:
    """Lists that belong together, split by the device and type of the first one's tensors."""
    groups: dict = {}
    for i, first in enumerate(tensorlistlist[0]):
        lists, indices = groups.setdefault((first.device, first.dtype), ([[] for _ in tensorlistlist], []))
        for values, given in zip(lists, tensorlistlist):
            if given:
                values.append(given[i])
        if with_indices:
            indices.append(i)
    return groups


def _device_has_foreach_support(device: device) -> bool:
    return device.type in ("cpu", *_get_foreach_kernels_supported_devices())


def _has_foreach_support(tensors: list[Tensor], device: device) -> bool:
    return _device_has_foreach_support(device) and all(t is None or type(t) is Tensor for t in tensors)
