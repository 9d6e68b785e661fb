"""A saved tensor in the user's hands: what is kept of it, and hooks on this one alone."""

from __future__ import annotations

from collections.abc import Callable

from ..core.tensor import Tensor
from ..opdef.derivative import RESULT0, SHAPE
from . import node as nodes
from .node import FREED, overwritten_input
from .saved import Packed, pack

REGISTERED_LATE = ("Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the "
                   "graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you "
                   "need to backward through the graph a second time or if you need to access saved variables after "
                   "calling backward.")


class SavedTensor:
    """What a node has saved, as it is kept."""

    __module__ = "mindtorch_v2._C._autograd"

    def __init__(self, *args, **kwargs):
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    @property
    def data(self):
        """What is kept: the tensor, or what a pack hook made of it."""
        kept = self._slot.kept()
        return kept.made if isinstance(kept, Packed) else kept

    @property
    def unpack_hook(self) -> Callable | None:
        kept = self._slot.kept()
        return kept.undo if isinstance(kept, Packed) else None

    def unpack(self) -> Tensor | None:
        """The tensor, by way of its hook where it has one."""
        return self._slot.unpacked()

    def register_hooks(self, *hooks: Callable) -> None:
        """Keep what the first hook makes of the tensor, and hand out what the second makes of that."""
        if len(hooks) != 2 or not all(map(callable, hooks)):
            raise TypeError("register_hooks(): incompatible function arguments. The following argument types are "
                            "supported:\n    1. (self: torch._C._autograd.SavedTensor, arg0: collections.abc.Callable, "
                            "arg1: collections.abc.Callable) -> None\n\nInvoked with: "
                            + ", ".join(map(repr, (self, *hooks))))
        kept = self._slot.kept()
        if self._slot.is_freed():
            raise RuntimeError(REGISTERED_LATE)
        if kept is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        if isinstance(kept, Packed):
            raise RuntimeError("Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only "
                               "one pair of hooks is allowed at a time.")
        self._slot.keep(Packed(self._slot.unpacked(), *hooks, self._slot.is_result()))


def _handle(slot) -> SavedTensor:
    handle = object.__new__(SavedTensor)
    handle._slot = slot
    return handle


class _OfOp:
    """What the node of an op keeps of an argument, of one tensor in a list of them, or of a result."""

    def __init__(self, node, source: int, name: str, at: int | None = None):
        self.node, self.source, self.name, self.at = node, source, name, at

    def is_freed(self) -> bool:
        return self.node.released

    def is_result(self) -> bool:
        return self.source < 0

    def kept(self):
        if self.source < 0:
            return self.node.results[RESULT0 - self.source][0] if self.node.results else None
        value = self.node.args[self.source] if self.node.args and self.source < SHAPE else None
        return value if self.at is None or value is None else value[self.at]

    def unpacked(self):
        value = getattr(self.node, self.name)
        return value if self.at is None else value[self.at]

    def keep(self, packed: Packed) -> None:
        if self.source < 0:
            self.node.results[RESULT0 - self.source] = (packed, -1)
        elif self.at is None:
            self.node.args[self.source] = packed
        else:
            values = list(self.node.args[self.source])
            values[self.at] = packed
            self.node.args[self.source] = values
        self.node.packed = True


def of_node(node: nodes.Node, source: int, name: str):
    """The handle on what a node saved under a name, if that is a tensor; a tuple of them for a list of tensors."""
    slot = _OfOp(node, source, name.removeprefix("_raw"))
    kept = None if node.released else slot.kept()
    if isinstance(kept, (list, tuple)) and any(isinstance(item, (Tensor, Packed)) for item in kept):
        return tuple(_handle(_OfOp(node, source, slot.name, at)) for at in range(len(kept)))
    if not node.released and not isinstance(kept, (Tensor, Packed)):
        raise AttributeError(f"'{node.name()}' object has no attribute '{name}'")
    return _handle(slot)


class _OfFunction:
    """One of the tensors that a Function saved for its backward."""

    def __init__(self, node, at: int):
        self.node, self.at = node, at

    def is_freed(self) -> bool:
        return self.node.released

    def is_result(self) -> bool:
        return self.node.saved[self.at][2] >= 0

    def kept(self):
        return self.node.saved[self.at][0] if self.node.saved else None

    def unpacked(self):
        return self.node.unpacked(self.at)

    def keep(self, packed: Packed) -> None:
        _, version, number = self.node.saved[self.at]
        self.node.saved[self.at] = (packed, version, number)


def of_function(node: nodes.Node) -> tuple[SavedTensor, ...]:
    """Handles on what a Function saved, as many as it saved."""
    if node.released:
        raise RuntimeError(FREED)
    return tuple(_handle(_OfFunction(node, at)) for at in range(len(node.saved or ())))


class _Own:
    """A tensor that is kept as a node would keep it, by no node."""

    def __init__(self, tensor: Tensor):
        self.value, self.version = pack(tensor), tensor._version

    def is_freed(self) -> bool:
        return False

    def is_result(self) -> bool:
        return False

    def kept(self):
        return self.value

    def unpacked(self) -> Tensor:
        if isinstance(self.value, Packed):
            return self.value.unpack()
        if self.value._version != self.version:
            raise RuntimeError(overwritten_input(self.value, self.value._version, self.version))
        return self.value

    def keep(self, packed: Packed) -> None:
        self.value = packed


def keep(tensor: Tensor) -> SavedTensor:
    """Save a tensor, through the innermost hooks of this thread if it has some."""
    return _handle(_Own(tensor))


def _make_saved_tensor(tensor: Tensor, is_output: bool) -> SavedTensor:
    """torch's name for the same; an output's history would be set anew by the node that it belongs to."""
    return keep(tensor.detach() if is_output else tensor)
