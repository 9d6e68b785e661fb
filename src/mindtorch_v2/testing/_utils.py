"""torch.testing._utils: random numbers of tests that leave the program's own sequence alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..core.mode_stack import DisableTorchDispatch as no_dispatch  # noqa: N813  torch's name for it
from ..random import get_rng_state, manual_seed, set_rng_state

_SEED = 42


@contextmanager
def freeze_rng_state() -> Iterator[None]:
    """A block after which random numbers go on as if it had not been."""
    with no_dispatch():
        state = get_rng_state()
    try:
        yield
    finally:
        with no_dispatch():
            set_rng_state(state)


def wrapper_set_seed(op: Callable, *args: Any, **kwargs: Any) -> Any:
    """Call an op with the same random numbers every time."""
    with freeze_rng_state():
        manual_seed(_SEED)
        return op(*args, **kwargs)
