"""Saved tensors in the user's hands: hooks that pack them away and bring them back."""

from __future__ import annotations

import threading

from ..core import modes
from ..core.tensor import Tensor
from . import node as nodes

_thread = threading.local()
_counting = threading.Lock()


class Packed:
    """What a pack hook made of a tensor, and the hook that undoes it."""

    def __init__(self, tensor: Tensor, pack, unpack):
        before, grad = tensor._version, modes.set_grad(False)
        try:
            self.made = pack(tensor)
        finally:
            modes.set_grad(grad)
        if tensor._version != before:
            raise RuntimeError("A saved tensor pack hook is modifying its input in place. Tensors provided as input to "
                               "pack hook cannot be modified by in-place operations as this can lead to unexpected "
                               "side-effects. Please open an issue if you need to perform in-place operations on the "
                               "input to a pack hook.")
        self.undo = unpack

    def unpack(self) -> Tensor:
        found = self.undo(self.made)
        if not isinstance(found, Tensor):
            raise TypeError("Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                            f"{type(found).__name__}")
        return found


def pack(tensor: Tensor):
    """A tensor as the innermost hooks of this thread want it kept: itself, where there are none."""
    pairs = getattr(_thread, "pairs", None)
    return Packed(tensor, *pairs[-1]) if pairs else tensor


class saved_tensors_hooks:  # noqa: N801  torch's name
    """Inside the block, what autograd saves goes through ``pack_hook`` and comes back through ``unpack_hook``."""

    entered = 0  # by all threads: nodes ask for hooks only while somebody has some

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if refused() is not None:
            raise RuntimeError(refused())
        if not hasattr(_thread, "pairs"):
            _thread.pairs = []
        _thread.pairs.append((self.pack_hook, self.unpack_hook))
        self._count(1)

    def __exit__(self, *args) -> None:
        _thread.pairs.pop()
        self._count(-1)

    @staticmethod
    def _count(more: int) -> None:
        with _counting:
            saved_tensors_hooks.entered += more
            nodes.pack_with(pack if saved_tensors_hooks.entered else None)


def refused() -> str | None:
    """Why no hooks may be set now, if that is so."""
    return getattr(_thread, "refused", None)


def refuse(message: str | None) -> str | None:
    """Allow or refuse hooks on this thread; what was said before is given back."""
    if message is not None and getattr(_thread, "pairs", None):
        raise RuntimeError(message)
    before = refused()
    _thread.refused = message
    return before
