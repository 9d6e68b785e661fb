"""Parameters and buffers that are functions of others: ``module.weight`` is computed when it is asked for."""

from __future__ import annotations

import copyreg
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy

from ...autograd.grad_mode import no_grad
from ...core.tensor import Tensor
from ..modules.container import ModuleDict
from ..modules.module import Module
from ..parameter import Parameter
from .parametrization_list import ParametrizationList, _register_parameter_or_buffer, put

__all__ = ["ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
           "transfer_parametrizations_and_params", "type_before_parametrizations"]

_cache_enabled = 0
_cache: dict[tuple[int, str], Tensor] = {}

_NOT_PICKLED = ("Serialization of parametrized modules is only supported through state_dict(). See:\n"
                "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
                "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training")
_SUBCLASS = ("Calling remove_parametrizations() with leave_parametrized=True for a parameter that is an instance of a "
             "tensor subclass requires set_() to be implemented correctly for the tensor subclass.Alternatively, one "
             "can opt into the swap_tensors pathEither set leave_parametrized=False or provide a working "
             "implementationfor set_() in the tensor subclass or set "
             "torch.__future__.set_swap_module_params_on_conversion(True).")


@contextmanager
def cached() -> Iterator[None]:
    """Inside, each parametrized tensor is computed once, when it is first asked for."""
    global _cache_enabled
    _cache_enabled += 1
    try:
        yield
    finally:
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache.clear()


def _deepcopy(self: Module, memo: dict) -> Module:
    """What copy.deepcopy does with objects that can be pickled, which parametrized modules cannot."""
    if id(self) in memo:
        return memo[id(self)]
    replica = self.__new__(type(self))
    memo[id(self)] = replica
    replica.__dict__ = deepcopy(self.__dict__, memo)
    for slot in copyreg._slotnames(type(self)):
        if hasattr(self, slot):
            setattr(replica, slot, deepcopy(getattr(self, slot), memo))
    return replica


def _getstate(self: Module):
    raise RuntimeError(_NOT_PICKLED)


def _inject_new_class(module: Module) -> None:
    """Give a module a class of its own, which properties can be put on."""
    kind = type(module)
    members = {"__getstate__": _getstate}
    if not hasattr(kind, "__deepcopy__"):
        members["__deepcopy__"] = _deepcopy
    module.__class__ = type(f"Parametrized{kind.__name__}", (kind,), members)


def _inject_property(module: Module, tensor_name: str) -> None:
    """Make a name of a module give what its parametrizations compute, and take what they can invert."""
    if hasattr(module, tensor_name):
        raise AssertionError(f"Module already has an attribute named '{tensor_name}'")

    def computed(self: Module) -> Tensor:
        parametrization = self.parametrizations[tensor_name]
        if not _cache_enabled:
            return parametrization()
        key = (id(module), tensor_name)
        tensor = _cache.get(key)
        if tensor is None:
            tensor = _cache[key] = parametrization()
        return tensor

    def assign(self: Module, value: Tensor) -> None:
        self.parametrizations[tensor_name].right_inverse(value)

    setattr(type(module), tensor_name, property(computed, assign))


def register_parametrization(module: Module, tensor_name: str, parametrization: Module, *,
                             unsafe: bool = False) -> Module:
    """Compute a parameter or buffer of a module by another module; several are called one after the other."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_next(module, tensor_name, parametrization)
        several = module.parametrizations[tensor_name]
        several.append(parametrization)
        several.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        several = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_new_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = several
    else:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
                         f"'{tensor_name}'")
    return module


def _check_next(module: Module, name: str, parametrization: Module) -> None:
    """One that comes after others keeps type and shape, forward and backward."""
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    for fact in ("dtype", "shape"):
        if getattr(after, fact) != getattr(before, fact):
            raise ValueError(f"Registering a parametrization may not change the {fact} of the tensor, unless the "
                             f"`unsafe` flag is enabled.\nmodule.{name}.{fact}: {getattr(before, fact)}\n"
                             f"parametrization(module.{name}).{fact}: {getattr(after, fact)}")
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        inverse = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(inverse, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(inverse).__name__}")
    for fact in ("dtype", "shape"):
        if getattr(inverse, fact) != getattr(before, fact):
            raise ValueError(f"The tensor returned by parametrization.right_inverse must have the same {fact} as "
                             f"module.{name}, unless the `unsafe` flag is enabled.\n"
                             f"module.{name}.{fact}: {getattr(before, fact)}\n"
                             f"returned {fact}: {getattr(inverse, fact)}")


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module has parametrizations, of a name or at all."""
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Take parametrizations off: what they compute stays, or the tensor they began with."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            _take_over(original, module, tensor_name)
    elif leave_parametrized:
        computed = getattr(module, tensor_name)
        original = Parameter(computed) if computed.requires_grad else computed
    else:
        raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in "
                         "terms of a sequence of tensors.")
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register_parameter_or_buffer(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def _take_over(original: Tensor, module: Module, tensor_name: str) -> None:
    """Put the computed values into the tensor they began with, which optimizers know."""
    with no_grad():
        computed = getattr(module, tensor_name)
        if type(original) is Tensor:
            put(original, computed)
            return
        try:
            put(original, computed)
        except RuntimeError as error:
            raise RuntimeError(_SUBCLASS) from error


def type_before_parametrizations(module: Module) -> type:
    """The class a module had before it was parametrized."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module: Module, to_module: Module,
                                         tensor_name: str | None = None) -> Module:
    """Register the parametrizations of a module, and the tensors below them, in another."""
    if not is_parametrized(from_module):
        return to_module
    for name in from_module.parametrizations if tensor_name is None else [tensor_name]:
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        source = from_module.parametrizations[name]
        for parametrization in source:
            register_parametrization(to_module, name, parametrization)
        target = to_module.parametrizations[name]
        if hasattr(source, "original"):
            target.original = source.original
        else:
            for i in range(source.ntensors):
                setattr(target, f"original{i}", getattr(source, f"original{i}"))
    return to_module
