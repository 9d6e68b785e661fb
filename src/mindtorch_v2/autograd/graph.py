"""torch.autograd.graph: nodes and edges as the user sees them, and hooks on what is saved and on several gradients."""

from __future__ import annotations

import weakref
from abc import ABC
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from ..core.tensor import Tensor, count_write
from ..record.locks import new_lock
from . import hooks, passes, saved
from .node import Node as GraphNode
from .node import accumulator_of
from .saved import saved_tensors_hooks
from .saved_mutation import allow_mutation_on_saved_tensors
from .special_nodes import DelayedError, UndefinedGrad

__all__ = ["GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks",
           "get_gradient_edge", "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks"]


class Node(ABC):  # noqa: B024  it is registered with, not derived from
    """What every node of the graph is an instance of, though none of their classes is derived from it."""


for _kind in (GraphNode, DelayedError, UndefinedGrad):
    Node.register(_kind)


class GradientEdge(NamedTuple):
    """A place in the graph where a gradient arrives."""

    node: Node
    output_nr: int
    ownership_token: Node | None = None


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the gradient of a tensor arrives."""
    if not tensor._mt_requires:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(tensor.grad_fn or accumulator_of(tensor), tensor.output_nr)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Say that a tensor's data was changed behind autograd's back."""
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        count_write(t)


class save_on_cpu(saved_tensors_hooks):  # noqa: N801  torch's name
    """Keep what autograd saves in the CPU's memory, where it is anyway."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda"):
        super().__init__(lambda tensor: tensor, lambda tensor: tensor)


@contextmanager
def disable_saved_tensors_hooks(error_message: str):
    """Inside the block, setting hooks on saved tensors raises ``error_message``."""
    before = saved.refuse(error_message)
    try:
        yield
    finally:
        saved.refuse(before)


class _MultiHandle(hooks.RemovableHandle):
    """Takes away a hook on several tensors."""

    def __init__(self, handles: Sequence[hooks.RemovableHandle]):
        self.handles = tuple(handles)

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable, *, mode: str = "all") -> _MultiHandle:
    """Call ``fn`` once a pass: with all gradients when the last of them has come, or with the first ("any")."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    assert all(t._mt_requires for t in tensors), "Expected gradient function to be set"
    nodes = [weakref.ref(get_gradient_edge(t).node) for t in tensors]  # nodes keep their hooks, and so this
    lock, round_ = new_lock(), _Round(None, 0, [])

    def arrive(i: int, grad: Tensor) -> None:
        nonlocal round_
        task = passes.current()
        with lock:
            begins = round_.task is not task
            if begins:
                coming = sum(node is nodes[i] or passes.will_run(task, node()) for node in nodes)
                round_ = _Round(task, coming, [None] * len(nodes))
            round_.missing -= 1
            round_.grads[i] = grad if mode == "all" else None
            grads, is_last = round_.grads, round_.missing == 0
            if is_last:
                round_ = _Round(None, 0, [])  # no gradient is kept beyond its pass
        if mode == "any" and begins:
            fn(grad)
        elif mode == "all" and is_last:
            fn(grads)

    return _MultiHandle([t.register_hook(partial(arrive, i)) for i, t in enumerate(tensors)])


@dataclass
class _Round:
    """The gradients of one pass, and how many are still to come."""

    task: object
    missing: int
    grads: list[Tensor | None]
