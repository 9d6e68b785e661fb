"""What a recording remembers of a module."""

from __future__ import annotations

from ...core.identity import tensor_facts
from ...record.calls import frame_of
from ...record.objects import ModuleFacts


def facts_of(module) -> ModuleFacts:
    """A module's own parameters, each with its gradient if it has one, and the function that calls it."""
    parameters = [(name, tensor_facts(parameter), tensor_facts(parameter.grad))
                  for name, parameter in module._parameters.items() if parameter is not None]
    return ModuleFacts(id(module), id(type(module)), type(module).__name__, parameters,
                       frame_of(type(module)._wrapped_call_impl.__code__))
