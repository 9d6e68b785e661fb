"""Inputs that a transform differentiates by, and results of which the caller sees only what is the caller's.

An input becomes a leaf of its own, on the same memory, or, where the caller wants gradients of it too, the result of a
node that leads on to the caller's graph. Transforms inside transforms are therefore one graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..autograd import node as nodes
from ..autograd.api import grad
from ..autograd.forward_ad import unpacked_from
from ..autograd.grad_mode import enable_grad, inference_mode
from ..autograd.graph import GradientEdge
from ..autograd.node import Accumulate, Node
from ..autograd.tangents import copy_tangents, levels_of
from ..core import modes
from ..core.dtype import FLOATING
from ..core.fields import node_of, set_history
from ..core.slots import Work
from ..core.tensor import Tensor
from ..dispatch.batched import Batched, lift_to_active_levels
from ..utils._pytree import tree_map

_CALL = "_mt_transform"  # on a leaf that a transform made: its call


class Entry(Node):
    """The way out of a transform: from an input it watches to the caller's graph."""

    def apply(self, grads, edges):
        return list(grads)

    def name(self) -> str:
        return "Identity"


class Call:
    """Whether the function of a transform still runs. Leaves know the call; what they knew of more would hold them."""

    is_running = True


class Transform:
    """One call of grad or vjp, and what it watches."""

    def __init__(self):
        self.call = Call()
        self.goes_on = modes.is_grad_enabled()  # whether the caller's graph is to lead through this call
        self.inputs: list[Tensor] = []
        self.edges: list[Tensor | GradientEdge] = []

    def watch(self, value) -> Tensor:
        """An input to differentiate by."""
        if not isinstance(value, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(value)}")
        if value.dtype.category < FLOATING:
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        value = _lifted(value)
        alias = Work.kept(value)
        copy_tangents(value, alias)
        alias._mt_inference = False  # what is differentiated is saved, whatever mode the caller is in
        if value._mt_requires:
            entry = Entry()
            nodes.connect(entry, value)
            nodes.number(entry)
            nodes.adopt(entry, alias, 0)
            self.edges.append(GradientEdge(entry, 0))
        else:
            set_history(alias, None, 0, True)
            alias.__dict__[_CALL] = self.call
            self.edges.append(alias)
        self.inputs.append(alias)
        return alias

    def gradients(self, outputs: list[Tensor], starts: list[Tensor] | None, retain_graph: bool,
                  create_graph: bool) -> list[Tensor]:
        """The gradients of outputs by all that is watched; zeros where nothing depends on it."""
        starts = [None] * len(outputs) if starts is None else starts
        pairs = [(out, start) for out, start in zip(outputs, starts) if out._mt_requires]
        if not pairs:
            return [Work.zeros_like(_alias(t)) for t in self.inputs]
        outs, begin = zip(*pairs)
        goes_on = create_graph and self.leads_out([*outs, *[start for start in begin if start is not None]])
        grads = grad(outs, self.edges, None if begin[0] is None else begin, allow_unused=True,
                     retain_graph=retain_graph or goes_on, create_graph=goes_on)
        return [Work.zeros_like(_alias(t)) if g is None else self.released(g, goes_on)
                for g, t in zip(grads, self.inputs)]

    def released(self, result: Tensor, goes_on: bool) -> Tensor:
        """A result as the caller sees it: with history only where that leads to the caller's own graph."""
        has_history = any(t._mt_requires for t in _wholes(result))
        return _alias(result) if has_history and not (goes_on and self.leads_out([result])) else result

    def leads_out(self, tensors: list[Tensor]) -> bool:
        """Whether any tensor has a history that does not end in what this transform watches."""
        stack = [node_of(t) or t
                 for tensor in tensors for t in _wholes(tensor) if t._mt_requires]
        seen = set()
        while stack:
            place = stack.pop()
            leaf = place.variable if isinstance(place, Accumulate) else place
            if isinstance(leaf, Tensor):
                made_by = leaf.__dict__.get(_CALL)
                if made_by is not self.call and (made_by is None or made_by.is_running):
                    return True
            elif place is not None and id(place) not in seen:
                seen.add(id(place))
                stack += [following for following in place.next_nodes if following is not None]
        return False


def released_tree(transform: Transform, tree):
    """The same for a tree of results that holds nothing but tensors."""
    def released(value):
        if not isinstance(value, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(value)}")
        return transform.released(value, transform.goes_on)

    return tree_map(released, tree)


@contextmanager
def differentiating() -> Iterator[None]:
    """Inside, everything is watched, whatever the caller switched off."""
    with inference_mode(False), enable_grad():
        yield


def debug_unwrap(tensor: Tensor, *, recurse: bool = True) -> Tensor:
    """The tensor behind one that a transform made: the batch of a member; what is differentiated stands for itself."""
    while isinstance(tensor._mt_kind, Batched):
        tensor = tensor._mt_kind.value
        if not recurse:
            break
    return tensor


def _wholes(tensor: Tensor) -> Iterator[Tensor]:
    """A tensor and, where it is a member of a batch, the batch, and so on."""
    yield tensor
    while isinstance(tensor._mt_kind, Batched):
        tensor = tensor._mt_kind.value
        yield tensor


def _lifted(value: Tensor) -> Tensor:
    """A tensor as a member of the innermost batch; its tangents are those of the member, not of the whole."""
    levels = levels_of(value)
    member = lift_to_active_levels(unpacked_from(value, levels) if levels else value)
    if levels and member._mt_kind is not value._mt_kind:
        copy_tangents(value, member)
        return member
    return value if levels else member


def _alias(tensor: Tensor) -> Tensor:
    """A tensor on the same memory with the same tangents, and no history."""
    alias = Work.kept(tensor)
    kind = tensor._mt_kind
    if isinstance(kind, Batched):
        alias._mt_kind = Batched(_alias(kind.value), kind.dim, kind.level)
    copy_tangents(tensor, alias)
    return alias
