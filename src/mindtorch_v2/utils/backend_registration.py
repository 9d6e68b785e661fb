"""A device of the program's own (torch's privateuse1): its name, and the methods that are called by it."""

from __future__ import annotations

import sys

from ..core.device import _get_privateuse1_backend_name, _rename_privateuse1_backend, device
from ..core.tensor import Tensor
from ..nn.modules.module import Module

_ROOT = __name__.partition(".")[0]


def rename_privateuse1_backend(backend_name: str) -> None:
    """Give the program's own device a name that devices, profiles and methods then know it by."""
    _rename_privateuse1_backend(backend_name)


def generate_methods_for_privateuse1_backend(for_tensor: bool = True, for_module: bool = True,
                                             for_packed_sequence: bool = True, for_storage: bool = False,
                                             unsupported_dtype: list | None = None) -> None:
    """``Tensor.is_npu``, ``Tensor.npu()`` and ``Module.npu()`` for a device named npu.

    There are no packed sequences here, and storages stay as they are.
    """
    name = _get_privateuse1_backend_name()
    if for_tensor:
        _add(Tensor, f"is_{name}", property(lambda self: self.device.type == name))
        _add(Tensor, name, _tensor_method(name))
    if for_module:
        if not hasattr(Tensor, name):
            raise RuntimeError(f"Can not automatically generate {name}() method for torch.nn.Module.Because "
                               f"torch.Tensor doesn't has the method {name}().For this error, you can try setting "
                               "for_tensor=True.")
        _add(Module, name, _module_method(name))


def _add(kind: type, name: str, member: object) -> None:
    if hasattr(kind, name):
        kind_name = f"<class 'torch.{kind.__qualname__}'>" if kind is Tensor else kind
        raise RuntimeError(f"The custom device module of {kind_name} has already been registered with {name}")
    setattr(kind, name, member)


def _tensor_method(name: str):
    def to_own_device(self, device=None, non_blocking=False, **kwargs):
        """This tensor on the program's own device."""
        return self.to(device=_own_device(name, device), non_blocking=non_blocking, **kwargs)

    to_own_device.__name__ = name
    return to_own_device


def _module_method(name: str):
    def to_own_device(self, device=None):
        """Move parameters and buffers to the program's own device."""
        return self._apply(lambda tensor: getattr(tensor, name)(device))

    to_own_device.__name__ = name
    return to_own_device


def _own_device(name: str, where: device | str | int | None) -> device:
    """The device that a number, a name or nothing means: without a number, the current one."""
    named = device(where) if isinstance(where, str) else where
    if isinstance(named, device):
        if named.type != name:
            raise RuntimeError(f"Invalid device, must be {name} device")
        named = named.index
    if named is None:
        current = getattr(getattr(sys.modules[_ROOT], name, None), "current_device", None)
        named = 0 if current is None else current()
    return device(name, named)
