"""torch.autograd.graph: nodes and edges as the user sees them."""

from __future__ import annotations

from typing import NamedTuple

from ..core.tensor import Tensor
from .node import Node, accumulator_of


class GradientEdge(NamedTuple):
    """A place in the graph where a gradient arrives."""

    node: Node
    output_nr: int


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the gradient of a tensor arrives."""
    if not tensor.requires:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(tensor.grad_fn if tensor.grad_fn is not None else accumulator_of(tensor), tensor.output_nr)


def increment_version(tensor) -> None:
    """Say that a tensor's data was changed behind autograd's back."""
    from ..core.tensor import count_write
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        count_write(t)
