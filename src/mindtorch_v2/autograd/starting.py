# cython: annotation_typing=False
"""Where a pass begins and what it is to find: nodes and first gradients, from the tensors that users name."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import modes
from ..core.fields import node_of
from ..core.kinds import holds_many
from ..core.slots import Work
from ..core.tensor import Tensor
from .copy_slices import bring_up_to_date
from .graph import GradientEdge
from .node import accumulator_of, resolve


def as_list(value) -> list:
    """Tensors and edges, of which one may stand by itself."""
    if value is None:
        return []
    return [value] if isinstance(value, (Tensor, GradientEdge)) else list(value)


def refuse_members(tensors: list[Tensor]) -> None:
    """backward() is not for what stands for the members of a batch."""
    for tensor in tensors:
        if isinstance(tensor, Tensor) and holds_many(tensor):
            raise RuntimeError("backward() called inside a functorch transform. This is not supported, please use "
                               "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
                               "transforms.")


def first_gradients(tensors: list[Tensor], grads: Sequence[Tensor | None]) -> list[Tensor | None]:
    """The gradients the walk begins with: given, or one for a single number."""
    if not grads:
        grads = [None] * len(tensors)
    if len(grads) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(grads)} gradients")
    started = []
    for g in grads:
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
    for i, (t, g) in enumerate(zip(tensors, grads)):
        if isinstance(t, GradientEdge):
            t = tensor_at(t)
        else:
            bring_up_to_date(t)
        if not t._mt_requires:
            raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")
        if g is None:
            if t._mt_array.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if not t.is_floating_point():
                raise RuntimeError("grad can be implicitly created only for real scalar outputs but got "
                                   f"torch.{t.dtype.name}")
            before = modes.set_grad(False)
            try:
                g = Work.ones_like(t)
            finally:
                modes.set_grad(before)
        elif g._mt_array.shape != t._mt_array.shape:
            raise RuntimeError(f"Mismatch in shape: grad_output[{i}] has a shape of {g.shape} and output[{i}] has a "
                               f"shape of {t.shape}.")
        elif g.dtype is not t.dtype and g.is_complex() != t.is_complex():
            raise RuntimeError("For complex Tensors, both grad_output and output are required to have the same dtype. "
                               f"Mismatch in dtype: grad_output[{i}] has a dtype of {g.dtype} and output[{i}] has a "
                               f"dtype of {t.dtype}.")
        started.append(g)
    return started


def tensor_at(edge: GradientEdge) -> Tensor:
    """A tensor like the one whose gradient arrives at an edge."""
    zeros = Work.zeros(*edge.node.outputs[edge.output_nr])
    zeros._mt_requires = True
    return zeros


def edges_of(tensors: list[Tensor | GradientEdge]) -> list[tuple]:
    """The nodes that tensors come from, each with the number of its result."""
    return [_edge(t) for t in tensors]


def _edge(t: Tensor | GradientEdge):
    if isinstance(t, GradientEdge):
        return t.node, t.output_nr
    bring_up_to_date(t)
    if not t._mt_requires:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    node = node_of(t)
    return (node, t.output_nr) if node is not None else (accumulator_of(t), 0)


def captures_of(edges: list) -> dict:
    """Which gradients a pass is to keep: numbers of outputs, by node."""
    outputs: dict = {}
    for node, number in edges:
        outputs.setdefault(node, set()).add(number)
    return outputs


def leading_to(targets: set, roots: list, include: bool) -> set:
    """The nodes from which a target can be reached; the targets themselves only where they are to run."""
    before: dict = {}
    stack, seen = list(roots), set(roots)
    while stack:
        node = stack.pop()
        for edge in node.next_nodes:
            following = resolve(edge)
            if following is not None:
                before.setdefault(following, []).append(node)
                if following not in seen:
                    seen.add(following)
                    stack.append(following)
    needed, stack = set(targets) if include else set(), list(targets & seen)
    while stack:
        for node in before.get(stack.pop(), ()):
            if node not in needed:
                needed.add(node)
                stack.append(node)
    return needed
