"""Modules called with parameters from outside, and the parameters of several modules side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..api.install import FUNCTIONS
from ..core.tensor import Tensor
from ..nn.modules.container import ModuleList
from ..nn.modules.module import Module
from ..nn.utils.stateless import _functional_call


def functional_call(module: Module, parameter_and_buffer_dicts: dict[str, Tensor] | Sequence[dict[str, Tensor]],
                    args=None, kwargs: dict | None = None, *, tie_weights: bool = True, strict: bool = False):
    """What a module computes with the given tensors in the place of its own."""
    given = parameter_and_buffer_dicts
    if not isinstance(given, dict):
        given = _in_one(given)
    return _functional_call(module, given, args, kwargs, tie_weights=tie_weights, strict=strict)


def _in_one(dicts: Sequence[dict]) -> dict:
    if not isinstance(dicts, Sequence):
        raise ValueError("Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
                         f"{type(dicts)}")
    if not all(isinstance(d, dict) for d in dicts):
        raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
    repeated = [key for key, count in Counter(key for d in dicts for key in d).items() if count > 1]
    if repeated:
        raise ValueError(f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous")
    return {key: tensor for d in dicts for key, tensor in d.items()}


def stack_module_state(models: Sequence[Module] | ModuleList) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters and the buffers of several modules of one class, stacked by name."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({bool(model.training) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any(type(model) is not type(models[0]) for model in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return (_stacked([dict(model.named_parameters()) for model in models]),
            _stacked([dict(model.named_buffers()) for model in models]))


def _stacked(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {name: _stacked_leaf(tuple([state[name] for state in states]), name) for name in states[0]}


def _stacked_leaf(tensors: tuple[Tensor, ...], name: str) -> Tensor:
    wanting = [t.requires_grad for t in tensors]
    if any(wanting) and not all(wanting):
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    together = FUNCTIONS["stack"](tensors)
    return together.detach().requires_grad_() if wanting[0] else together


for _function in (functional_call, stack_module_state):
    _function.__module__ = __package__
