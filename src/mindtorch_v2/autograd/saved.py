"""Saved tensors in the user's hands: hooks that pack them away and bring them back."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..core import modes
from ..core.tensor import Tensor
from ..opdef.derivative import RESULT0, SHAPE
from ..record.locks import new_lock
from . import node as nodes

FREED = ("Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are "
         "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward "
         "through the graph a second time or if you need to access saved variables after calling backward.")
_thread = threading.local()
_counting = new_lock()


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


class SavedTensor:
    """A tensor that a node has saved, as it is kept: hooks can be set on this one alone."""

    __module__ = "mindtorch_v2._C._autograd"

    def __init__(self, *args):
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    @property
    def data(self) -> Tensor:
        """The tensor, by way of its hooks where it has some."""
        return getattr(self._node, self._name)

    def register_hooks(self, pack_hook: Callable, unpack_hook: Callable) -> None:
        """Keep what ``pack_hook`` makes of the tensor, and hand out what ``unpack_hook`` makes of that."""
        if not callable(pack_hook) or not callable(unpack_hook):
            raise TypeError("register_hooks(): incompatible function arguments. The following argument types are "
                            "supported:\n    1. (self: torch._C._autograd.SavedTensor, arg0: collections.abc.Callable, "
                            f"arg1: collections.abc.Callable) -> None\n\nInvoked with: {self!r}, {pack_hook!r}, "
                            f"{unpack_hook!r}")
        node, source = self._node, self._source
        if node.released:
            raise RuntimeError(FREED)
        if isinstance(_kept(node, source), Packed):
            raise RuntimeError("Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only "
                               "one pair of hooks is allowed at a time.")
        made = Packed(self.data, pack_hook, unpack_hook)
        if source >= 0:
            node.args[source], node.packed = made, True
        else:
            node.results[RESULT0 - source] = (made, -1)


def of_node(node: nodes.Node, source: int, name: str) -> SavedTensor:
    """The handle on what a node saved under a name, if that is a tensor."""
    if not node.released and not isinstance(_kept(node, source), (Tensor, Packed)):
        raise AttributeError(f"'{node.name()}' object has no attribute '{name}'")
    made = object.__new__(SavedTensor)
    made._node, made._source, made._name = node, source, name.removeprefix("_raw")
    return made


def _kept(node: nodes.Node, source: int):
    """What a node holds for an argument (from 0 on), a result (below), or nothing, where only a fact is kept."""
    if source < 0:
        return node.results[RESULT0 - source][0] if node.results else None
    return node.args[source] if node.args and source < SHAPE else None


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


def _saved_tensors_hooks_is_enabled() -> bool:
    """Whether hooks may be set on what is saved."""
    return refused() is None


def refuse(message: str | None) -> str | None:
    """Allow or refuse hooks on this thread; what was said before is given back."""
    if message is not None and getattr(_thread, "pairs", None):
        raise RuntimeError(message)
    before = refused()
    _thread.refused = message
    return before
