"""What a recording remembers of a module."""

from __future__ import annotations

import math
from collections.abc import Iterator

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


def layout_of(module) -> Iterator[tuple[str, object, int]]:
    """The module and all below it, each once: its path, itself, and how many trained parameters it has that no module
    before it has."""
    seen_modules, seen_parameters = set(), set()
    waiting = [("", module)]
    while waiting:
        path, member = waiting.pop()
        if member is None or id(member) in seen_modules:
            continue
        seen_modules.add(id(member))
        own = [p for p in member._parameters.values() if p is not None and id(p) not in seen_parameters]
        seen_parameters.update(map(id, own))
        yield path, member, sum(_trained_elements(parameter) for parameter in own)
        below = [(f"{path}.{name}" if path else exact_text(name), child) for name, child in member._modules.items()]
        waiting += reversed(below)


def _trained_elements(parameter) -> int:
    facts = tensor_facts(parameter)
    return math.prod(facts.shape) if facts is not None and parameter._mt_requires else 0
