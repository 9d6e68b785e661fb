"""Hooks on what autograd saves: they pack tensors away and bring them back."""

from __future__ import annotations

import threading

from ..core import modes
from ..core.fields import node_of, set_history
from ..core.slots import Work
from ..core.tensor import Tensor
from ..record.locks import new_lock
from . import node as nodes


class _Hooks(threading.local):
    """A thread's pairs of hooks, the innermost last, and why it may have none."""

    pairs = refused = None


_thread = _Hooks()
_counting = new_lock()


class Packed:
    """What a pack hook made of a tensor, the hook that undoes it, and the history that the tensor had.

    What comes back has that history whatever the hooks do, so that it can be differentiated again. The history of a
    node's own result would keep the node alive: there the node adds it, and it is not noted here.
    """

    def __init__(self, tensor: Tensor, pack, unpack, is_result: bool = False):
        self.node, self.number, self.accumulator = None, tensor.output_nr, None
        if tensor._mt_requires and not is_result:
            self.node = node_of(tensor)
            self.accumulator = nodes.accumulator_of(tensor) if self.node is None else None
        before, grad = tensor._version, modes.set_grad(False)
        try:
            self.made = _outside(pack, tensor)
        finally:
            modes.set_grad(grad)
        if tensor._version != before:
            raise RuntimeError("A saved tensor pack hook is modifying its input in place. Tensors provided as input to "
                               "pack hook cannot be modified by in-place operations as this can lead to unexpected "
                               "side-effects. Please open an issue if you need to perform in-place operations on the "
                               "input to a pack hook.")
        self.undo = unpack

    def unpack(self) -> Tensor:
        value = _outside(self.undo, self.made)
        if not isinstance(value, Tensor):
            raise TypeError("Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                            f"{type(value).__name__}")
        if self.node is None and self.accumulator is None:
            return value
        value = Work.kept(value)
        set_history(value, self.node, self.number, True)
        if self.node is None:
            value._mt_accumulator = self.accumulator  # its gradient is the leaf's
        return value


def _outside(hook, value):
    """What a hook makes of a value. It is the user's code: not inside the op at work, nor on its device."""
    inside, device = modes.set_inside(False), modes.set_device(0)
    try:
        return hook(value)
    finally:
        modes.set_inside(inside)
        modes.set_device(device)


def pack(tensor: Tensor, is_result: bool = False):
    """A tensor as the innermost hooks of this thread want it kept: itself, where there are none, or it is a number."""
    pairs = _thread.pairs
    return Packed(tensor, *pairs[-1], is_result) if pairs and not tensor._mt_is_number else tensor


class saved_tensors_hooks:  # noqa: N801  torch's name
    """Inside the block, what autograd saves goes through ``pack_hook`` and comes back through ``unpack_hook``."""

    entered = 0  # by all threads: nodes ask for hooks only while somebody has some

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if refused() is not None:
            raise RuntimeError(refused())
        if _thread.pairs is None:
            _thread.pairs = []
        _thread.pairs.append((self.pack_hook, self.unpack_hook))
        self._count(1)

    def __exit__(self, *args) -> None:
        if _thread.pairs:
            _thread.pairs.pop()
            self._count(-1)

    @staticmethod
    def _count(more: int) -> None:
        with _counting:
            saved_tensors_hooks.entered += more
            nodes.pack_with(pack if saved_tensors_hooks.entered else None)


def entered() -> list:
    """The hooks of this thread, the innermost last."""
    return list(_thread.pairs or ())


def restore(pairs: list) -> None:
    """Go back to the hooks that were there before a pass, whatever its own hooks entered or left."""
    now = _thread.pairs or []
    if not now and not pairs:
        return
    if len(now) != len(pairs) or any(mine is not theirs for mine, theirs in zip(now, pairs)):
        saved_tensors_hooks._count(len(pairs) - len(now))
        _thread.pairs = list(pairs)


def refused() -> str | None:
    """Why no hooks may be set now, if that is so."""
    return _thread.refused


def _saved_tensors_hooks_is_enabled() -> bool:
    """Whether hooks may be set on what is saved."""
    return refused() is None


def refuse(message: str | None) -> str | None:
    """Allow or refuse hooks on this thread; what was said before is given back."""
    if message is not None and _thread.pairs:
        raise RuntimeError(message)
    before = refused()
    _thread.refused = message
    return before
