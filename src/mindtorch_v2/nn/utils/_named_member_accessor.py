"""Tensors of a module by name: put another in the place of a parameter, a buffer or an attribute."""

from __future__ import annotations

from ...core.missing_name import answer_for_missing as _answer_for_missing
from ...core.tensor import Tensor
from ..modules.module import Module
from .stateless import _ABSENT, _exchange


def _check_name(module: Module, name: str) -> None:
    if not isinstance(module, Module):
        raise TypeError(f"{module} is not an instance of torch.nn.Module")
    if "." in name:
        raise KeyError('tensor name can\'t contain "."')


def swap_tensor(module: Module, name: str, tensor: Tensor | None, allow_missing: bool = False) -> Tensor:
    """Put a tensor into a module and return what was there."""
    _check_name(module, name)
    if not allow_missing and name not in module._parameters and name not in module._buffers \
            and not hasattr(module, name):
        raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
    return _exchange(module, name, _ABSENT if tensor is None else tensor)


def set_tensor(module: Module, name: str, tensor: Tensor) -> None:
    """Put a tensor into a module."""
    _check_name(module, name)
    _exchange(module, name, tensor)


_answer_for_missing(__name__)
