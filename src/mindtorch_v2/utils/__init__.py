"""torch.utils: what programs need beside tensors."""

from ..core.missing_name import answer_for_missing as _answer_for_missing
from . import (
    _contextlib,
    _device,
    _python_dispatch,
    _pytree,
    backend_registration,
    checkpoint,
    data,
    deterministic,
    dlpack,
    hooks,
    weak,
)
from .backend_registration import generate_methods_for_privateuse1_backend, rename_privateuse1_backend
from .tensor_swap import swap_tensors


def set_module(obj, mod: str) -> None:
    """Say where an object lives, so that it prints nicely."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


_answer_for_missing(__name__)
