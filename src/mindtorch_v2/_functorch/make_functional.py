"""torch._functorch.make_functional: modules as functions of their parameters, as functorch had them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

from ..core.missing_name import missing as _missing
from ..core.tensor import Tensor
from ..func.functional_call import functional_call, stack_module_state
from ..nn.modules.module import Module

__all__ = ["FunctionalModule", "FunctionalModuleWithBuffers", "combine_state_for_ensemble", "make_functional",
           "make_functional_with_buffers"]


class FunctionalModuleWithBuffers(Module):
    """A module that is given its parameters and its buffers with every call."""

    def __init__(self, stateless_model: Module, param_names: tuple[str, ...], buffer_names: tuple[str, ...]):
        super().__init__()
        self.stateless_model, self.param_names, self.buffer_names = stateless_model, param_names, buffer_names

    @classmethod
    def _create_from(cls, model: Module, disable_autograd_tracking: bool = False):
        """The function of a copy of the module, and the copy's parameters and buffers."""
        model, params = _copied(model, disable_autograd_tracking)
        buffers = dict(model.named_buffers())
        return cls(model, tuple(params), tuple(buffers)), tuple(params.values()), tuple(buffers.values())

    def forward(self, params: Iterable[Tensor], buffers: Iterable[Tensor], *args, **kwargs):
        state = dict(zip(self.param_names + self.buffer_names, (*params, *buffers)))
        return functional_call(self.stateless_model, state, args, kwargs)


class FunctionalModule(Module):
    """A module that is given its parameters with every call."""

    def __init__(self, stateless_model: Module, param_names: tuple[str, ...]):
        super().__init__()
        self.stateless_model, self.param_names = stateless_model, param_names

    @classmethod
    def _create_from(cls, model: Module, disable_autograd_tracking: bool = False):
        """The function of a copy of the module, and the copy's parameters."""
        model, params = _copied(model, disable_autograd_tracking)
        return cls(model, tuple(params)), tuple(params.values())

    def forward(self, params: Iterable[Tensor], *args, **kwargs):
        return functional_call(self.stateless_model, dict(zip(self.param_names, params)), args, kwargs)


def _copied(model: Module, disable_autograd_tracking: bool) -> tuple[Module, dict[str, Tensor]]:
    model = copy.deepcopy(model)
    params = dict(model.named_parameters())
    if disable_autograd_tracking:
        for param in params.values():
            param.requires_grad_(False)
    return model, params


def make_functional(model: Module, disable_autograd_tracking: bool = False):
    """A function of a module's parameters, and the parameters; modules with buffers need the other form."""
    if any(True for _ in model.buffers()):
        raise RuntimeError("make_functional(model): `model` has buffers. Please use "
                           "make_functional_with_buffers(model) instead.")
    return FunctionalModule._create_from(model, disable_autograd_tracking=disable_autograd_tracking)


def make_functional_with_buffers(model: Module, disable_autograd_tracking: bool = False):
    """A function of a module's parameters and buffers, and these."""
    return FunctionalModuleWithBuffers._create_from(model, disable_autograd_tracking=disable_autograd_tracking)


def combine_state_for_ensemble(models: Sequence[Module]):
    """The function of one of several like modules, and the parameters and buffers of all, stacked."""
    try:
        params, buffers = stack_module_state(models)
    except RuntimeError as error:
        raise RuntimeError(str(error).replace("stack_module_state", "combine_state_for_ensemble")) from None
    function, *_ = make_functional_with_buffers(models[0])
    return function, tuple(params.values()), tuple(buffers.values())


__getattr__ = _missing(__name__)
