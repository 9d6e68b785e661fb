"""One call at one level of vmap: its arguments as wholes, and its results as members again."""

from __future__ import annotations

from collections.abc import Callable

from ..core import modes
from ..core.tensor import Tensor, ndim_of, shape_of
from ..opdef.operator import Operator
from . import batch_levels, dispatcher
from .aten import aten
from .batched import level_of, unwrap, wrap


class Call:
    """An op and its arguments at the highest level among them. ``size`` is None where no argument is batched there."""

    def __init__(self, op: Operator, args: tuple, level: int):
        self.op, self.args, self.level = op, args, level
        self.size = None
        for tensor in tensors_of(op, args):
            value, dim = unwrap(tensor, level)
            if dim is not None:
                self.size = shape_of(value)[dim]
                break

    def is_batched(self, tensor: Tensor | None) -> bool:
        """Whether a tensor differs between members."""
        return tensor is not None and unwrap(tensor, self.level)[1] is not None

    def front(self, tensor: Tensor | None) -> Tensor | None:
        """A tensor as a whole with the batch dimension first; one that is the same for all, without that dimension."""
        if tensor is None:
            return None
        value, dim = unwrap(tensor, self.level)
        return value if dim is None else moved(value, dim, 0)

    def full(self, tensor: Tensor | None) -> Tensor | None:
        """A tensor as a whole with the batch dimension first, also where it is the same for all."""
        if tensor is None or self.is_batched(tensor):
            return self.front(tensor)
        value = unwrap(tensor, self.level)[0]
        return aten.expand(value, (self.size, *shape_of(value)))

    def lifted(self, tensor: Tensor) -> Tensor:
        """A tensor as one of the level: what becomes of it in other ops, autograd sees of the wholes."""
        return tensor if level_of(tensor) == self.level else wrap(tensor, None, self.level)

    def mapped(self, of_tensor: Callable, args: tuple | None = None) -> list:
        """The arguments with a function of every tensor in its place."""
        args = self.args if args is None else args
        changed = list(args)
        for i in self.op.tensors:
            if args[i] is not None:
                changed[i] = of_tensor(args[i])
        for i in self.op.lists:
            if args[i] is not None:
                changed[i] = [None if t is None else of_tensor(t) for t in args[i]]
        return changed

    def run(self, args: list) -> object:
        """The op on wholes whose batch dimension comes first, and what it made, as members."""
        result = dispatcher.call(self.op, tuple(args))
        return self.args[self.op.mutates] if self.op.mutates >= 0 else self.members(result)

    def members(self, result, dim: int | None = 0):
        """Wholes, also in lists, as members; what an op left out is empty, without a batch dimension."""
        if isinstance(result, Tensor):
            return wrap(result, None if self.size and shape_of(result) == (0,) else dim, self.level)
        if isinstance(result, (list, tuple)):
            return tuple([self.members(one, dim) for one in result])
        return result


def tensors_of(op: Operator, args: tuple) -> list[Tensor]:
    """All tensors among the arguments of a call."""
    tensors = [args[i] for i in op.tensors if args[i] is not None]
    for i in op.lists:
        tensors.extend([t for t in args[i] or () if t is not None])
    return tensors


def highest_level(op: Operator, args: tuple) -> int:
    """The highest level among the tensors of a call, 0 where none is batched or lifted."""
    return max([level_of(tensor) for tensor in tensors_of(op, args)], default=0)


def moved(value: Tensor, source: int, destination: int) -> Tensor:
    """A tensor with one dimension elsewhere."""
    if source == destination:
        return value
    order = list(range(ndim_of(value)))
    order.insert(destination, order.pop(source))
    return aten.permute(value, tuple(order))


def padded(value: Tensor, rank: int) -> Tensor:
    """A whole with its batch dimension first, and members of so many dimensions at least: ones come before theirs."""
    shape = shape_of(value)
    missing = rank + 1 - len(shape)
    return value if missing <= 0 else aten.reshape(value, (shape[0], *(1,) * missing, *shape[1:]))


def outside(level: int, function: Callable, *args):
    """Call a function outside of a level, where autograd watches wholes."""
    stack = batch_levels.leave(level)
    below = modes.set_below(False)
    try:
        return function(*args)
    finally:
        modes.set_below(below)
        batch_levels.restore(stack)
