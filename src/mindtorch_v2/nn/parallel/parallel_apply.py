"""Several modules called at once, each on an accelerator of its own."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.device import as_device
from ...core.tensor import Tensor
from ..modules.module import Module

__all__ = ["get_a_var", "parallel_apply"]


def get_a_var(obj) -> Tensor | None:
    """The first tensor in a nest of lists, tuples and dicts."""
    if isinstance(obj, Tensor):
        return obj
    if isinstance(obj, (list, tuple, dict)):
        for part in obj.items() if isinstance(obj, dict) else obj:
            tensor = get_a_var(part)
            if tensor is not None:
                return tensor
    return None


def parallel_apply(modules: Sequence[Module], inputs: Sequence, kwargs_tup: Sequence[dict] | None = None,
                   devices: Sequence | None = None) -> list:
    """Refused, as there is no accelerator; wrong arguments are found first."""
    for name, given in (("inputs", inputs), ("kwargs_tup", kwargs_tup), ("devices", devices)):
        if given is not None and len(modules) != len(given):
            raise AssertionError(f"The number of modules {len(modules)} is not equal to the number of {name} "
                                 f"{len(given)}")
    for device in devices or ():
        if device is not None and not isinstance(device, int) and as_device(device).type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {as_device(device)}")
    if not modules:
        raise AssertionError("No available accelerator found.")
    raise RuntimeError("Cannot access accelerator device when none is available.")
