"""torch.nn.utils.prune: parameters of which some elements or channels stay zero."""

from __future__ import annotations

from collections.abc import Iterable

from ...api.install import FUNCTIONS
from ...core.tensor import Tensor
from ..modules.module import Module
from .convert_parameters import parameters_to_vector
from .pruning_method import BasePruningMethod, PruningContainer
from .pruning_methods import (  # noqa: F401  torch's address
    CustomFromMask,
    Identity,
    L1Unstructured,
    LnStructured,
    RandomStructured,
    RandomUnstructured,
    _compute_nparams_toprune,
    _validate_pruning_amount,
    _validate_pruning_amount_init,
)

ones_like = FUNCTIONS["ones_like"]


def identity(module: Module, name: str) -> Module:
    """Take a parameter apart without pruning it."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount) -> Module:
    """Prune elements at random."""
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Module, name: str, amount, importance_scores: Tensor | None = None) -> Module:
    """Prune the elements nearest to zero, or with the lowest scores."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount, dim: int) -> Module:
    """Prune channels at random."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module: Module, name: str, amount, n, dim: int, importance_scores: Tensor | None = None) -> Module:
    """Prune the channels with the smallest norms."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def global_unstructured(parameters, pruning_method: type[BasePruningMethod], importance_scores: dict | None = None,
                        **kwargs) -> None:
    """Prune several parameters as if they were one."""
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    importance_scores = {} if importance_scores is None else importance_scores
    if not isinstance(importance_scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    scores = parameters_to_vector([importance_scores.get((module, name), getattr(module, name))
                                   for module, name in parameters])
    masks = parameters_to_vector([getattr(module, name + "_mask", ones_like(getattr(module, name)))
                                  for module, name in parameters])
    mask = _one_method(pruning_method, kwargs).compute_mask(scores, masks)
    at = 0
    for module, name in parameters:
        parameter = getattr(module, name)
        custom_from_mask(module, name, mask=mask[at:at + parameter.numel()].view_as(parameter))
        at += parameter.numel()


def _one_method(pruning_method: type[BasePruningMethod], kwargs: dict) -> PruningContainer:
    """A method that prunes what a mask of its own leaves, for a tensor without a name."""
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError('Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method '
                        f"{pruning_method} of type {method.PRUNING_TYPE}")
    container.add_pruning_method(method)
    return container


def custom_from_mask(module: Module, name: str, mask: Tensor) -> Module:
    """Prune what a mask leaves out."""
    CustomFromMask.apply(module, name, mask)
    return module


def remove(module: Module, name: str) -> Module:
    """Make the pruning of a parameter permanent."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module: Module) -> bool:
    """Whether a parameter of a module or of its children is pruned."""
    return any(isinstance(hook, BasePruningMethod) for child in module.modules()
               for hook in child._forward_pre_hooks.values())


for _class in (BasePruningMethod, PruningContainer, CustomFromMask, Identity, L1Unstructured, LnStructured,
               RandomStructured, RandomUnstructured):
    _class.__module__ = __name__
