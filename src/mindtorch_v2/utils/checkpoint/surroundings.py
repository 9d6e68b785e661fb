"""What a function sees around it, taken when it is first called and put back when it runs again."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext

from ...amp import autocast
from ...core.autocast import get_autocast_dtype, is_autocast_cache_enabled, is_autocast_enabled
from ...core.default_device import DeviceContext
from ...core.overrides import stacks
from ...ops.random.generator import fork_rng, get_rng_state, set_rng_state


class Surroundings:
    """The state of the random numbers, if it is to be kept, what autocast does, and where new tensors go."""

    def __init__(self, preserve_rng_state: bool):
        self.random_state = get_rng_state() if preserve_rng_state else None
        self.autocast = {"enabled": is_autocast_enabled("cpu"), "dtype": get_autocast_dtype("cpu"),
                         "cache_enabled": is_autocast_cache_enabled()}
        places = [mode for mode in stacks.functions if isinstance(mode, DeviceContext)]
        self.place = places[-1] if places else nullcontext()

    @contextmanager
    def restored(self):
        """The same again; numbers that are drawn inside leave the default generator as it was."""
        with fork_rng(enabled=self.random_state is not None):
            if self.random_state is not None:
                set_rng_state(self.random_state)
            with autocast("cpu", **self.autocast), self.place:
                yield
