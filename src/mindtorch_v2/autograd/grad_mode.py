"""no_grad, enable_grad, set_grad_enabled, inference_mode: for a block, a function or a generator."""

from __future__ import annotations

import functools
import inspect

from ..core import modes
from .view_replay import _set_view_replay_enabled, is_view_replay_enabled


class Switch:
    """A context manager that also decorates functions and generator functions."""

    def __call__(self, function):
        if inspect.isclass(function):
            function.__init__ = self(function.__init__)
            return function
        if inspect.isgeneratorfunction(function):
            return self._generator(function)

        @functools.wraps(function)
        def inside(*args, **kwargs):
            with self.fresh():
                return function(*args, **kwargs)

        return inside

    def _generator(self, function):
        """The mode holds while the generator runs, not while its caller does."""
        @functools.wraps(function)
        def inside(*args, **kwargs):
            running = function(*args, **kwargs)
            sent = None
            try:
                while True:
                    with self.fresh():
                        value = running.send(sent)
                    sent = yield value
            except StopIteration as stop:
                return stop.value
            finally:
                running.close()

        return inside

    def fresh(self):
        return type(self)()


class no_grad(Switch):  # noqa: N801  torch's name
    """Nothing in here is differentiated."""

    def __new__(cls, orig_func=None):
        made = super().__new__(cls)
        return made if orig_func is None else made(orig_func)

    def __enter__(self) -> None:
        self.before = modes.set_grad(False)

    def __exit__(self, *args) -> None:
        modes.set_grad(self.before)


class enable_grad(no_grad):  # noqa: N801  torch's name
    """Everything in here is differentiated again."""

    def __enter__(self) -> None:
        self.before = modes.set_grad(True)


class set_grad_enabled(Switch):  # noqa: N801  torch's name
    """Grad mode by a flag, at once and until the block ends."""

    def __init__(self, mode: bool):
        self.mode = bool(mode)
        self.before = modes.set_grad(self.mode)

    def __call__(self, function):
        modes.set_grad(self.before)
        return super().__call__(function)

    def __enter__(self) -> None:
        modes.set_grad(self.mode)

    def __exit__(self, *args) -> None:
        modes.set_grad(self.before)

    def fresh(self):
        return set_grad_enabled(self.mode)

    def __str__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


class _force_original_view_tracking(Switch):  # noqa: N801  torch's name
    """Have views replayed by their own ops after a write in place, or not: at once, and until a block ends."""

    def __init__(self, mode: bool):
        self.mode = mode
        self.before = is_view_replay_enabled()
        _set_view_replay_enabled(mode)

    def __call__(self, function):
        _set_view_replay_enabled(self.before)
        return super().__call__(function)

    def __enter__(self) -> None:
        """The constructor has done it."""

    def __exit__(self, *args) -> None:
        _set_view_replay_enabled(self.before)

    def fresh(self):
        return _force_original_view_tracking(self.mode)


class inference_mode(Switch):  # noqa: N801  torch's name
    """no_grad whose tensors may never enter autograd again."""

    def __new__(cls, mode=True):
        made = super().__new__(cls)
        if isinstance(mode, bool):
            made.mode = mode
            return made
        made.mode = True
        return made(mode)

    def __enter__(self) -> None:
        self.before = (modes.set_inference(self.mode), modes.set_grad(not self.mode and modes.is_grad_enabled()))

    def __exit__(self, *args) -> None:
        modes.set_inference(self.before[0])
        modes.set_grad(self.before[1])

    def fresh(self):
        return inference_mode(self.mode)
