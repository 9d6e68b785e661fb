"""torch.nn.attention: which ways of computing attention are allowed."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable, Iterator

from ...backends.cuda import can_use_efficient_attention, can_use_flash_attention
from ...core.attention_backends import SWITCHES, SDPAParams, SDPBackend, choice
from .implementations import (
    activate_flash_attention_impl,
    current_flash_attention_impl,
    list_flash_attention_impls,
    register_flash_attention_impl,
    restore_flash_attention_impl,
)

__all__ = ["SDPBackend", "sdpa_kernel", "WARN_FOR_UNFUSED_KERNELS", "register_flash_attention_impl",
           "activate_flash_attention_impl", "list_flash_attention_impls", "current_flash_attention_impl",
           "restore_flash_attention_impl"]

WARN_FOR_UNFUSED_KERNELS = False  # set it to hear why a causal bias takes no fused kernel


@contextlib.contextmanager
def sdpa_kernel(backends: list[SDPBackend] | SDPBackend, set_priority: bool = False) -> Iterator[dict]:
    """Only these ways of computing attention are allowed inside a block."""
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError("Backend must be an instance of SDPBackend or a list of SDPBackend instances, got "
                             + type(backends).__name__)
    wanted = list(dict.fromkeys([backends] if isinstance(backends, SDPBackend) else backends))
    before, order = _cur_sdpa_kernel_backends(with_priority=set_priority), choice.order
    try:
        _sdpa_kernel(wanted, set_priority)
        yield {}
    finally:
        _sdpa_kernel(before, set_priority)
        choice.order = order


def _cur_sdpa_kernel_backends(with_priority: bool = False) -> list[SDPBackend]:
    """The ways that are allowed, the preferred first if that is asked for."""
    allowed = [backend for name, backend in SWITCHES.items() if getattr(choice, name)]
    return sorted(allowed, key=lambda backend: choice.order.index(backend.value)) if with_priority else allowed


def _sdpa_kernel(backends: Iterable[SDPBackend], set_priority: bool = False) -> None:
    """Allow these ways and no others; set_priority puts them in front."""
    for name, backend in SWITCHES.items():
        choice.set(name, backend in backends)
    if set_priority:
        first = [backend.value for backend in backends]
        choice.order = first + [number for number in choice.order if number not in first]


def _raise_kernel_warnings(params: SDPAParams) -> None:
    """Say that fused kernels cannot be used, if WARN_FOR_UNFUSED_KERNELS wants it."""
    if WARN_FOR_UNFUSED_KERNELS:
        for name, can_use in (("Efficient", can_use_efficient_attention), ("Flash", can_use_flash_attention)):
            if not can_use(params):
                warnings.warn(f"{name} attention can't be used because:", stacklevel=2)
                can_use(params, True)
