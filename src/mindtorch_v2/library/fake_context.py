"""torch.library.get_ctx: what a function for inputs without values can ask while it runs."""

from __future__ import annotations

import threading
from typing import Any

from ..devices.facts import ValuesNeededError

_META = (
    "{op}: You're trying to run this operator with meta Tensors (as opposed to FakeTensors), but this operator may "
    "return an output Tensor with data-dependent shape. Meta Tensors don't support operators with outputs that have "
    "data-dependent shapes but FakeTensors do. If your operator does not return an output with data-dependent shape, "
    "make sure the FakeTensor and/or meta kernel does not call torch.library.get_ctx(). Otherwise, please use "
    "FakeTensors.")


class _Running(threading.local):
    """The contexts of the functions that are running on a thread."""

    def __init__(self) -> None:
        self.contexts: list[FakeImplCtx] = []


_running = _Running()


class FakeImplCtx:
    """Of one call: shapes here are numbers, so that none can stand for one that depends on values."""

    def __init__(self, op: str, args: tuple):
        self._op = op
        self._is_fake = any(hasattr(value, "fake_mode") for value in args)

    def new_dynamic_size(self, *, min: int = 0, max: int | None = None) -> Any:
        """A size that depends on values: refused, as PyTorch refuses it outside of its compiler."""
        raise ValuesNeededError(self._op)

    create_unbacked_symint = new_dynamic_size

    def __enter__(self) -> FakeImplCtx:
        _running.contexts.append(self)
        return self

    def __exit__(self, *failure) -> None:
        _running.contexts.pop()


def get_ctx() -> FakeImplCtx | None:
    """The context of the function for fakes that is running; None outside of one."""
    if not _running.contexts:
        return None
    context = _running.contexts[-1]
    if not context._is_fake:
        raise RuntimeError(_META.format(op=context._op))
    return context
