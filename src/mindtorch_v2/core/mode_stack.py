"""Modes that see every function or op of a thread while they are entered, and the switches that keep them from it."""

from __future__ import annotations

from . import modes
from .overrides import stacks


class _Mode:
    """Entered with ``with``: on top of its stack until it is left."""

    _stack = ""  # which stack, and who is told how high it is
    _count = staticmethod(lambda height: None)

    def __enter__(self):
        push(self)
        return self

    def __exit__(self, *failure) -> None:
        pop(type(self))

    @classmethod
    def push(cls, *args, **kwargs):
        """torch's old way to make a mode and enter it in one."""
        return cls(*args, **kwargs)


class TorchFunctionMode(_Mode):
    """Subclass it with ``__torch_function__``, which then sees every function of torch that is called."""

    _stack = "functions"
    _count = staticmethod(modes.set_function_modes)
    inner = None

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError


class TorchDispatchMode(_Mode):
    """Subclass it with ``__torch_dispatch__``, which then sees every op that runs, below autograd."""

    _stack = "dispatch"
    _count = staticmethod(modes.set_dispatch_modes)
    supports_higher_order_operators = False

    def __init__(self, _dispatch_key=None):
        if _dispatch_key is not None:
            raise ValueError(f"modes for single dispatch keys do not exist here, got {_dispatch_key!r}; leave it out")

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError


def push(mode: _Mode) -> None:
    """Put a mode on top of its stack."""
    stack = getattr(stacks, mode._stack)
    stack.append(mode)
    mode._count(len(stack))
    modes.watch(1)


def pop(kind: type[_Mode]) -> _Mode:
    """Take the innermost mode of a kind from its stack."""
    stack = getattr(stacks, kind._stack)
    mode = stack.pop()
    kind._count(len(stack))
    modes.watch(-1)
    return mode


class set_aside:  # noqa: N801 - used like a function: with set_aside(TorchDispatchMode): ...
    """Without the innermost mode of a kind, or without all of them, for a while."""

    def __init__(self, kind: type[_Mode], every: bool = False):
        self.kind, self.every = kind, every

    def __enter__(self):
        stack = getattr(stacks, self.kind._stack)
        self.taken = [pop(self.kind) for _ in range(len(stack) if self.every else 1)]
        return list(reversed(self.taken)) if self.every else self.taken[0]

    def __exit__(self, *failure) -> None:
        while self.taken:
            push(self.taken.pop())


class _Switch:
    """A switch of this thread that is set for a while."""

    def __enter__(self) -> None:
        self._before = self.switch()

    def __exit__(self, *failure) -> None:
        self.back(self._before)


class DisableTorchFunctionSubclass(_Switch):
    """No ``__torch_function__`` of a subclass is asked; modes are."""

    back = staticmethod(modes.set_function_state)

    def switch(self) -> int:
        return modes.set_function_state(max(1, modes.function_state()))


class DisableTorchFunction(_Switch):
    """No ``__torch_function__`` is asked."""

    back = staticmethod(modes.set_function_state)

    def switch(self) -> int:
        return modes.set_function_state(2)


class EnableTorchFunction(_Switch):
    """Every ``__torch_function__`` is asked again."""

    back = staticmethod(modes.set_function_state)

    def switch(self) -> int:
        return modes.set_function_state(0)


class DisableTorchDispatch(_Switch):
    """No ``__torch_dispatch__`` is asked: ops see the memory of a subclass's tensors."""

    back = staticmethod(modes.set_dispatch_off)

    def switch(self) -> bool:
        return modes.set_dispatch_off(True)
