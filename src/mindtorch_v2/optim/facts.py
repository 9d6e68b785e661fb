"""What a recording remembers of an optimizer."""

from __future__ import annotations

from ..core.identity import tensor_facts
from ..core.tensor import Tensor
from ..record.objects import OptimizerFacts


def facts_of(optimizer) -> OptimizerFacts:
    """All parameters with their gradients and whatever tensors are their state."""
    parameters = []
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            state = {name: tensor_facts(value) for name, value in optimizer.state.get(parameter, {}).items()
                     if isinstance(value, Tensor)}
            parameters.append((tensor_facts(parameter), tensor_facts(parameter.grad), state))
    return OptimizerFacts(id(optimizer), id(type(optimizer)), type(optimizer).__name__, parameters)
