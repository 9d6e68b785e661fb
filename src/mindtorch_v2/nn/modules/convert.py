"""Moving a tree of modules to another type or device, keeping the identity of its parameters."""

from __future__ import annotations

from collections.abc import Callable

from ...autograd.grad_mode import no_grad
from ...core import dtype as dtypes
from ...core.device import as_device
from ...core.tensor import Tensor
from ...dispatch.aten import aten
from ..parameter import Parameter
from .conversion import Choices


class Convert:
    """The half of Module that changes what its tensors are made of."""

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True):
        """Replace the data of every parameter, gradient and buffer by what ``fn`` makes of it."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, param in self._parameters.items():
            if param is None:
                continue
            if Choices.overwrite:
                self._parameters[name] = _remade(param, fn)
                continue
            _replace(param, fn)
            if param.grad is not None:
                grad, wants = param.grad, param.grad.requires_grad
                _replace(grad, fn)
                grad.requires_grad_(wants)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *args, **kwargs):
        """All floating-point tensors in another type: ``to(dtype)``, ``to(device, dtype)`` or ``to(tensor)``."""
        device, dtype, non_blocking, memory_format = _parse_to(args, kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError("nn.Module.to only accepts floating point or complex dtypes, but got desired "
                            f"dtype=torch.{dtype.name}")

        def convert(t: Tensor) -> Tensor:
            wanted = dtype if t.is_floating_point() or t.is_complex() else None
            options = {} if memory_format is None or t.dim() not in (4, 5) else {"memory_format": memory_format}
            if device is None:
                return t.to(wanted or t.dtype, non_blocking, **options)
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
        """There is no CUDA here; says so as PyTorch's CPU build does."""
        return self._apply(lambda t: t.to("cuda"))

    def to_empty(self, *, device, recurse: bool = True):
        """The same shapes on a device, without values."""
        as_device(device)
        return self._apply(lambda t: aten.empty_like(t), recurse=recurse)

    def share_memory(self):
        """Nothing to do: tensors of this process are seen by all its threads."""
        return self


def _remade(param: Parameter, fn: Callable[[Tensor], Tensor]) -> Parameter:
    """A new parameter with new data; the old one stays as it was."""
    with no_grad():
        made = Parameter(fn(param), param.requires_grad)
        if param.grad is not None:
            made.grad = fn(param.grad).requires_grad_(param.grad.requires_grad)
    return made


def _replace(tensor: Tensor, fn: Callable[[Tensor], Tensor]) -> None:
    """New data in the same tensor object, so that optimizers keep seeing it."""
    with no_grad():
        made = fn(tensor)
    aten._has_compatible_shallow_copy_type(tensor, made)  # torch asks before it sets the data, and shows it
    tensor.data = made


def _parse_to(args: tuple, kwargs: dict):
    """What ``to`` was told, in any of its three spellings: by device, by dtype, by example."""
    kwargs = dict(kwargs)
    first = args[0] if args else kwargs.pop("tensor", kwargs.pop("other", None))
    if isinstance(first, Tensor):
        args = (first.device, first.dtype, *args[1:])
    elif isinstance(first, dtypes.DType):
        args = (None, *args)
    return _told(*args, **kwargs)


def _told(device=None, dtype=None, non_blocking=False, copy=False, *, memory_format=None):
    return None if device is None else as_device(device), dtype, non_blocking, memory_format
