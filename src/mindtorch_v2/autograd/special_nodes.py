"""Nodes that belong to no op: one whose gradient is missing, and one that only complains."""

from __future__ import annotations

from ..core import modes
from ..core.slots import Work
from ..core.tensor import Tensor
from . import node as nodes
from .node import Node


class UndefinedGradBackward(Node):
    """Lets no gradient through: what it leads to gets None."""

    def name(self) -> str:
        return "torch::autograd::UndefinedGradBackward"

    def apply(self, grads: list, edges: list) -> list:
        return [None] * len(edges)


class Error(Node):
    """Refuses to be gone through."""

    def __init__(self, message: str):
        super().__init__()
        self.message = message

    def name(self) -> str:
        return "torch::autograd::Error"

    def apply(self, grads: list, edges: list) -> list:
        raise RuntimeError(self.message)


class UndefinedGrad:
    """``UndefinedGrad()(tensor)``: the tensor, with a missing gradient behind it."""

    def __call__(self, *inputs: Tensor):
        return _behind(UndefinedGradBackward(), inputs)


class DelayedError:
    """``DelayedError(message, n)(*tensors)``: the tensors, with a complaint behind them."""

    def __init__(self, msg: bytes | str, num_inputs: int):
        self.message = msg.decode() if isinstance(msg, bytes) else msg
        self.num_inputs = num_inputs

    def __call__(self, *inputs: Tensor | None):
        return _behind(Error(self.message), inputs)


def _behind(node: Node, inputs: tuple):
    """The inputs as results of a node: alone if there is one, else in a tuple."""
    views: list = []
    before = modes.set_grad(False)
    try:
        views = [value if value is None else Work.view_as(value, value) for value in inputs]
    finally:
        modes.set_grad(before)
    for value in inputs:
        nodes.connect(node, value)
    nodes.number(node)
    for i, value in enumerate(views):
        if value is None:
            node.outputs += (None,)
        else:
            nodes.adopt(node, value, i)
    return views[0] if len(views) == 1 else tuple(views)
