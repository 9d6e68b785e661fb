"""Moving a tree of modules to another type or device, keeping the identity of its parameters."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from ...autograd.grad_mode import no_grad
from ...core.device import as_device
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ..parameter import Parameter
from .conversion import Choices
from .to_arguments import accelerator, parse_to

WITHOUT_DATA = ("Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of "
                "torch.nn.Module.to() when moving module from meta to a different device.")

COMPLEX = ("Complex modules are a new feature under active development whose design may change, and some modules might "
           "not work as expected when using complex tensors as parameters or buffers. Please file an issue at "
           "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a complex module does not work as "
           "expected.")


class Convert:
    """The half of Module that changes what its tensors are made of."""

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True):
        """Replace the data of every parameter, gradient and buffer by what ``fn`` makes of it."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, param in self._parameters.items():
            if param is not None:
                self._parameters[name] = _converted(param, fn)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args, **kwargs):
        """All floating-point tensors in another type: ``to(dtype)``, ``to(device, dtype)`` or ``to(tensor)``."""
        device, dtype, non_blocking, memory_format = parse_to(args, kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError("nn.Module.to only accepts floating point or complex dtypes, but got desired "
                            f"dtype=torch.{dtype.name}")
        if dtype is not None and dtype.is_complex:
            warnings.warn(COMPLEX, stacklevel=2)

        def convert(t: Tensor) -> Tensor:
            wanted = dtype if t.is_floating_point() or t.is_complex() else None
            options = {} if memory_format is None or t.dim() not in (4, 5) else {"memory_format": memory_format}
            if device is None:
                return t.to(wanted or t.dtype, non_blocking, **options)
            if t.is_meta and device.type != "meta":
                raise NotImplementedError(WITHOUT_DATA)
            return t.to(device, wanted, non_blocking, **options)

        return self._apply(convert)

    def type(self, dst_type):
        """All parameters and buffers, whatever their type, in another one."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self):
        """All floating-point parameters and buffers as float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        """All floating-point parameters and buffers as float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        """All floating-point parameters and buffers as float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        """All floating-point parameters and buffers as bfloat16."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def cpu(self):
        """All parameters and buffers on the CPU, where they are."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device=None):
        """There is no CUDA here; says so as PyTorch's CPU build does. The same for the others below."""
        return self._apply(lambda t: t.to(accelerator("cuda", device)))

    def xpu(self, device=None):
        return self._apply(lambda t: t.to(accelerator("xpu", device)))

    def ipu(self, device=None):
        return self._apply(lambda t: t.to(accelerator("ipu", device)))

    def mtia(self, device=None):
        return self._apply(lambda t: t.to(accelerator("mtia", device)))

    def to_empty(self, *, device, recurse: bool = True):
        """The same shapes on a device, without values."""
        place = as_device(device)
        return self._apply(lambda t: aten.empty_like(t, device=place), recurse=recurse)

    def share_memory(self):
        """Move parameters and buffers to where other processes can see them."""
        return self._apply(lambda t: t.share_memory_())


def _converted(param: Parameter, fn: Callable[[Tensor], Tensor]) -> Parameter:
    """A parameter and its gradient with new data: the same object, so that optimizers keep seeing it, if it can be."""
    with no_grad():
        data = fn(param)
    grad = param.grad
    if aten._has_compatible_shallow_copy_type(param, data) and not Choices.overwrite:
        param.data = data
    else:
        param = Parameter(data, param.requires_grad)
    if grad is not None:
        with no_grad():
            data = fn(grad)
        if aten._has_compatible_shallow_copy_type(grad, data) and not Choices.overwrite:
            wants_gradient = grad.requires_grad
            grad.data = data
            grad.requires_grad_(wants_gradient)
        else:
            param.grad = data.requires_grad_(grad.requires_grad)
    return param

