"""no_grad, enable_grad, set_grad_enabled, inference_mode: for a block, a function or a generator."""

from __future__ import annotations

import functools
import inspect
import threading
import warnings

from ..core import modes
from ..core.storage import Version
from ..core.tensor import Tensor
from .view_replay import _set_view_replay_enabled, is_view_replay_enabled


class Switch:
    """A context manager that also decorates functions and generator functions."""

    def __call__(self, function):
        if inspect.isclass(function):
            warnings.warn("Decorating classes is deprecated and will be disabled in future versions. You should only "
                          "decorate functions or methods. To preserve the current behavior of class decoration, you "
                          "can directly decorate the `__init__` method and nothing else.", FutureWarning, stacklevel=2)
            function.__init__ = self(function.__init__)
            return function
        if inspect.isgeneratorfunction(function):
            return self._generator(function)

        @functools.wraps(function)
        def inside(*args, **kwargs):
            with self.clone():
                return function(*args, **kwargs)

        return inside

    def _generator(self, function):
        """The mode holds while the generator runs, not while its caller does, whatever is sent or thrown into it."""
        @functools.wraps(function)
        def inside(*args, **kwargs):
            running = function(*args, **kwargs)
            resume, given = running.send, None
            while True:
                try:
                    with self.clone():
                        value = resume(given)
                except StopIteration as stop:
                    return stop.value
                try:
                    given = yield value
                    resume = running.send
                except GeneratorExit:
                    with self.clone():
                        running.close()
                    raise
                except BaseException as thrown:
                    resume, given = running.throw, thrown

        return inside

    def clone(self):
        return type(self)()


class no_grad(Switch):  # noqa: N801  torch's name
    """Nothing in here is differentiated."""

    def __new__(cls, orig_func=None):
        mode_block = super().__new__(cls)
        return mode_block if orig_func is None else mode_block(orig_func)

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

    def clone(self):
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

    def clone(self):
        return _force_original_view_tracking(self.mode)


class set_multithreading_enabled(Switch):  # noqa: N801  torch's name
    """Whether a pass may use several threads, at once and until the block ends; those of the processor use one."""

    def __init__(self, mode: bool):
        self.mode = bool(mode)
        self.before = is_multithreading_enabled()
        _passes.multithreading = self.mode

    def __call__(self, function):
        _passes.multithreading = self.before
        return super().__call__(function)

    def __enter__(self) -> None:
        """The constructor has done it."""

    def __exit__(self, *args) -> None:
        _passes.multithreading = self.before

    def clone(self):
        return set_multithreading_enabled(self.mode)


class _Passes(threading.local):
    multithreading = True


_passes = _Passes()


def is_multithreading_enabled() -> bool:
    """Whether a pass may use several threads."""
    return _passes.multithreading


class _unsafe_preserve_version_counter:  # noqa: N801  torch's name
    """Writes inside the block are not counted: for those who know that nobody needs the old values."""

    def __init__(self, tensors: Tensor | tuple[Tensor, ...]):
        self.tensors = (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)
        self.versions = tuple(t._version for t in self.tensors)

    def __enter__(self) -> None:
        """The counts were noted when this was made."""

    def __exit__(self, *args) -> None:
        _unsafe_set_version_counter(self.tensors, self.versions)


def _unsafe_set_version_counter(tensors: tuple[Tensor, ...], versions: tuple[int, ...]) -> None:
    """Set how often tensors count as written."""
    for tensor, version in zip(tensors, versions, strict=True):
        if version < 0:
            raise RuntimeError(f"Cannot set a version_counter to a value below 0: {version}")
        if tensor._mt_version is None:
            tensor._mt_version = Version()
        tensor._mt_version.count = version


class inference_mode(Switch):  # noqa: N801  torch's name
    """no_grad whose tensors may never enter autograd again."""

    def __new__(cls, mode=True):
        mode_block = super().__new__(cls)
        if isinstance(mode, bool):
            mode_block.mode = mode
            return mode_block
        mode_block.mode = True
        return mode_block(mode)

    def __enter__(self) -> None:
        self.before = (modes.set_inference(self.mode), modes.set_grad(not self.mode and modes.is_grad_enabled()))

    def __exit__(self, *args) -> None:
        modes.set_inference(self.before[0])
        modes.set_grad(self.before[1])

    def clone(self):
        return inference_mode(self.mode)
