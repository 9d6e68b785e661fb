"""torch.cuda.random: the state of devices' generators, of which there are none."""

from __future__ import annotations

from collections.abc import Iterable

from ..core.tensor import Tensor
from ..device_errors import no_cuda as _no_cuda


def manual_seed(seed: int) -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def manual_seed_all(seed: int) -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def seed() -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def seed_all() -> None:
    """Without a device there is nothing to seed; torch ignores it too."""


def get_rng_state_all() -> list[Tensor]:
    """The states of all devices: none."""
    return []


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    """Set the states of all devices, of which there are none."""


def set_rng_state(new_state: Tensor, device: int | str = "cuda") -> None:
    """Kept for a device that never comes; torch keeps it until one is used."""


get_rng_state = initial_seed = _no_cuda
