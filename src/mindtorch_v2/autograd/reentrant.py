"""Passes inside passes: where they are too deep for one thread's stack, another thread goes on."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable

from ..core import autocast, default_device, modes, overrides
from . import grad_mode, layout_policy, saved, thread_objects, view_replay

DEEPEST = 20  # passes inside each other on one thread: each takes a dozen of Python's thousand calls, and its own

# What each thread has of its own and a pass may look at.
_OF_THREADS = (autocast._state, default_device._default, overrides.stacks, grad_mode._passes, layout_policy._setting,
               saved._thread, thread_objects._thread, view_replay._setting)


class Surroundings:
    """What this thread sees, for another one to see the same."""

    def __init__(self):
        self.values = [dict(vars(local)) for local in _OF_THREADS]
        self.grad, self.inference = modes.is_grad_enabled(), modes.is_inference_mode_enabled()
        self.autocast, self.functions = modes.is_autocast(), modes.function_state()

    def enter(self) -> None:
        """On the other thread, which ends afterwards."""
        for local, values in zip(_OF_THREADS, self.values):
            vars(local).update({name: list(value) if isinstance(value, list) else value
                                for name, value in values.items()})
        modes.set_grad(self.grad)
        modes.set_inference(self.inference)
        modes.set_autocast(self.autocast)
        modes.set_function_state(self.functions)
        modes.set_function_modes(len(overrides.stacks.functions))
        modes.set_dispatch_modes(len(overrides.stacks.dispatch))

    @staticmethod
    def leave() -> None:
        modes.set_autocast(False)  # threads that autocast are counted


def on_another_thread(work: Callable[[], None]) -> None:
    """Do something on a new thread as this one would, and wait for it."""
    surroundings, failures = Surroundings(), []

    def run() -> None:
        surroundings.enter()
        try:
            work()
        except BaseException as error:  # it is raised again where it belongs
            failures.append(error)
        finally:
            surroundings.leave()

    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), name="mindtorch-backward")
    thread.start()
    thread.join()
    if failures:
        raise failures.pop()
