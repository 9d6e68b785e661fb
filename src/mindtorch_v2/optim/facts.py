"""What a recording remembers of an optimizer."""

from __future__ import annotations

from ..core.identity import tensor_facts
from ..core.tensor import Tensor
from ..record.objects import OptimizerFacts
from ..record.plain_text import exact_text, name_of_type


def facts_of(optimizer) -> OptimizerFacts:
    """All parameters with their gradients and whatever tensors are their state."""
    parameters = []
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            state = {exact_text(name): tensor_facts(value) for name, value in optimizer.state.get(parameter, {}).items()
                     if issubclass(type(value), Tensor)}
            parameters.append((tensor_facts(parameter), tensor_facts(parameter._mt_grad), state))
    return OptimizerFacts(id(optimizer), id(type(optimizer)), name_of_type(type(optimizer)), parameters)
