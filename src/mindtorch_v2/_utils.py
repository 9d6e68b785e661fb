"""torch._utils: the functions that files name to make tensors anew, at torch's address."""

from collections.abc import Iterable, Iterator
from importlib import import_module

from .api.functions import torch as _functions
from .api.pickling import REBUILD
from .api.pickling import object_state as _get_obj_state
from .api.pickling import set_object_state as _set_obj_state
from .core.device import _get_privateuse1_backend_name
from .core.device import device as _device
from .core.exception_wrapper import ExceptionWrapper, KeyErrorMessage
from .core.tensor import Tensor
from .device_modules import module_of_type as _get_device_module
from .nn.parameter import _rebuild_parameter, _rebuild_parameter_with_state

globals().update({function.__name__: function for function in REBUILD})


def _element_size(dtype) -> int:
    """How many bytes an element takes."""
    return dtype.itemsize


def _flatten_dense_tensors(tensors: list[Tensor]) -> Tensor:
    """The elements of many tensors, one behind the other."""
    return _functions.cat([tensor.contiguous().view(-1) for tensor in tensors])


def _unflatten_dense_tensors(flat: Tensor, tensors: list[Tensor]) -> tuple[Tensor, ...]:
    """Parts of a flat tensor in the shapes of others: what _flatten_dense_tensors() made of such."""
    parts = flat.split([tensor.numel() for tensor in tensors])
    return tuple(part.view(tensor.shape) for part, tensor in zip(parts, tensors))


def _take_tensors(tensors: Iterable[Tensor], size_limit: int) -> Iterator[list[Tensor]]:
    """Tensors of one type together, as many as a number of bytes has room for."""
    groups: dict[str, list[Tensor]] = {}
    for tensor in tensors:
        group = groups.setdefault(tensor.type(), [])
        if group and sum(member.nbytes for member in group) + tensor.nbytes > size_limit:
            yield group
            group = groups[tensor.type()] = []
        group.append(tensor)
    yield from groups.values()


def _get_device_index(device, optional: bool = False, allow_cpu: bool = False) -> int:
    """The number of a device; the CPU has one only for those who allow it."""
    if isinstance(device, int):
        return device
    named = None if device is None else _device(device)
    if named is not None and named.type == "cpu" and not allow_cpu:
        raise ValueError(f"Expected a non cpu device, but got: {device}")
    if named is not None and (named.index is not None or allow_cpu):
        return -1 if named.index is None else named.index
    if optional:
        return 0
    raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")


def _get_available_device_type() -> None:
    """None: there is no accelerator."""


def _is_privateuse1_backend_available() -> bool:
    """Whether the program brought a module for its own device, and that module says that the device is there."""
    module = getattr(import_module(__package__), _get_privateuse1_backend_name(), None)
    is_available = getattr(module, "is_available", None)
    return bool(is_available and is_available())


def is_compiling() -> bool:
    """False: nothing is compiled."""
    return False


__all__ = ["ExceptionWrapper", "KeyErrorMessage", "_element_size",
           "_flatten_dense_tensors", "_get_available_device_type", "_get_device_index", "_get_device_module",
           "_get_obj_state", "_is_privateuse1_backend_available",
           "_rebuild_parameter", "_rebuild_parameter_with_state", "_set_obj_state", "_take_tensors",
           "_unflatten_dense_tensors",
           "is_compiling", *(function.__name__ for function in REBUILD)]
