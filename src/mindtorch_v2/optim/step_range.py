"""What surrounds every step: the range a profile shows, and the hooks before and after."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable

from ..autograd.hooks import RemovableHandle, add
from ..core import modes
from ..record import rows, watch
from ..record.plain_text import name_of_type
from ..record.ranges import record_range
from .facts import facts_of

pre_hooks: OrderedDict[int, Callable] = OrderedDict()
post_hooks: OrderedDict[int, Callable] = OrderedDict()
after_range: OrderedDict[int, Callable] = OrderedDict()  # called with the optimiser once its range has ended


def register_optimizer_step_pre_hook(hook: Callable) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` before every optimiser's step."""
    return add(pre_hooks, hook)


def register_optimizer_step_post_hook(hook: Callable) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` after every optimiser's step."""
    return add(post_hooks, hook)


def hooked(step: Callable) -> Callable:
    """A step inside its range, between its hooks."""
    @functools.wraps(step)
    def wrapper(*args, **kwargs):
        self = args[0]
        name = f"Optimizer.step#{name_of_type(type(self))}.step"
        with record_range(watch.number_of_step(self, name) if rows.is_listening() else name) as span:
            for hook in (*pre_hooks.values(), *self._optimizer_step_pre_hooks.values()):
                given = hook(self, args, kwargs)
                if given is not None:
                    if not isinstance(given, tuple) or len(given) != 2:
                        raise RuntimeError(f"{step} must return None or a tuple of (new_args, new_kwargs), "
                                           f"but got {given}.")
                    args, kwargs = given
            out = step(*args, **kwargs)
            self._optimizer_step_code()
            watch.note_optimizer(span.row, self, facts_of)
            for hook in (*self._optimizer_step_post_hooks.values(), *post_hooks.values()):
                hook(self, args, kwargs)
        for hook in after_range.values():
            hook(self)
        return out

    wrapper.hooked = True
    return wrapper


def patch(cls: type) -> None:
    """Give a class its range, once; a subclass with a step of its own gets one of its own."""
    if not getattr(cls.step, "hooked", None):
        cls.step = hooked(cls.step)


def graded_if_differentiable(step: Callable) -> Callable:
    """A step is differentiated only if the optimiser was made ``differentiable``."""
    @functools.wraps(step)
    def wrapper(*args, **kwargs):
        before = modes.set_grad(args[0].defaults.get("differentiable", False))
        try:
            return step(*args, **kwargs)
        finally:
            modes.set_grad(before)

    return wrapper
