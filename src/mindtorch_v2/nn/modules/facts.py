"""What a recording remembers of a module."""

from __future__ import annotations

from ...core.identity import tensor_facts
from ...record.calls import frame_of
from ...record.objects import ModuleFacts
from ...record.plain_text import exact_text, name_of_type


def facts_of(module) -> ModuleFacts:
    """A module's own parameters, each with its gradient if it has one, and the function that calls it."""
    parameters = [(exact_text(name), tensor_facts(parameter), tensor_facts(parameter._mt_grad))
                  for name, parameter in module._parameters.items() if parameter is not None]
    return ModuleFacts(id(module), id(type(module)), name_of_type(type(module)), parameters,
                       frame_of(type(module)._wrapped_call_impl.__code__))
