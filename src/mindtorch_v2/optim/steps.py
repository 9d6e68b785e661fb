"""What authors of optimizers take from torch.optim.optimizer beside the base class."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..api.functions import torch
from ..core import dtype as dtypes
from ..core.device import device
from ..core.tensor import Tensor
from ..nn.parameter import Parameter

CAPTURABLE_DEVICES = ["cuda", "xpu", "hpu", "privateuseone", "xla"]
ParamsT = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
DeviceDict = dict[device | None, Tensor]
DeviceDtypeDict = dict[tuple[device, dtypes.DType] | None, Tensor]


def number(value):
    """An option as a number; torch's binding reads a tensor where it wants one, which shows as ``aten::item``."""
    return value.item() if isinstance(value, Tensor) else value


def scalar_dtype(fused: bool = False):
    """The type of step counts."""
    return dtypes.float64 if not fused and dtypes.get_default_dtype() is dtypes.float64 else dtypes.float32


def scalar(value: float | Tensor) -> float | Tensor:
    """An option as a number, or as a tensor without dimensions."""
    return value.squeeze() if isinstance(value, Tensor) and value.dim() != 0 else value


_get_value, _to_scalar, _get_scalar_dtype = number, scalar, scalar_dtype


def _default_to_fused_or_foreach(params: list[Tensor], differentiable: bool,
                                 use_fused: bool = False) -> tuple[bool, bool]:
    """Whether to take the fused step, and whether lists: lists only on devices that gain by them, unlike this one."""
    if differentiable:
        return False, False
    fusable = all(p is None or type(p) in (Tensor, Parameter) and p.is_floating_point() for p in params)
    return use_fused and fusable, False


def _stack_if_compiling(x):
    """The list itself: nothing is compiled."""
    return x


def _view_as_real(params: list[Tensor], *state_and_grads: list[Tensor]) -> None:
    """Put pairs of numbers in the places of complex tensors."""
    for i, param in enumerate(params):
        if param.is_complex():
            params[i] = torch.view_as_real(param)
            for others in state_and_grads:
                others[i] = torch.view_as_real(others[i])


def _disable_dynamo_if_unsupported(single_tensor_fn: Callable | None = None) -> Callable[[Callable], Callable]:
    """A decorator that changes nothing: there is no compiler to keep away."""
    return lambda func: func


def _get_foreach_kernels_supported_devices() -> list[str]:
    """Devices on which torch takes lists unasked."""
    return ["cuda", "xpu", "mtia", "privateuseone"]


def _get_fused_kernels_supported_devices() -> list[str]:
    """Devices on which torch has fused steps."""
    return ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]


def _get_capturable_supported_devices(supports_xla: bool = True) -> list[str]:
    """Devices on which torch captures steps into graphs."""
    return [name for name in CAPTURABLE_DEVICES if supports_xla or name != "xla"]


def _group_tensors_by_device_and_dtype(tensorlistlist: list[list], with_indices: bool = False) -> dict:
    """Lists that belong together, split by device and type of the first list's tensors."""
    groups: dict = {}
    for i, row in enumerate(zip(*tensorlistlist)):
        lists, indices = groups.setdefault((row[0].device, row[0].dtype), ([[] for _ in tensorlistlist], []))
        for one, tensor in zip(lists, row):
            one.append(tensor)
        if with_indices:
            indices.append(i)
    return groups
