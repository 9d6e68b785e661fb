"""What every way of pruning shares: a parameter kept whole, a mask, and the product of both before every forward."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from ...api.install import FUNCTIONS
from ...core.device import contiguous_format
from ...core.tensor import Tensor
from ..modules.module import Module

ones_like = FUNCTIONS["ones_like"]


class BasePruningMethod(ABC):
    """The hook that puts a pruned parameter together; subclasses compute masks."""

    _tensor_name: str

    def __call__(self, module: Module, inputs) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask for a tensor of scores, on top of the one there is."""

    def apply_mask(self, module: Module) -> Tensor:
        """The parameter with its pruned elements at zero."""
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask, original = getattr(module, self._tensor_name + "_mask"), getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module: Module, name: str, *args, importance_scores: Tensor | None = None, **kwargs):
        """Prune a parameter of a module, once more if it is pruned already."""
        method = _on_top(cls, module, name, args, kwargs)
        original = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            raise AssertionError(f"importance_scores should have the same shape as parameter {name} of {module}, got "
                                 f"{importance_scores.shape} vs {original.shape}")
        is_first = not isinstance(method, PruningContainer)
        if is_first:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            mask = ones_like(original)
        else:
            mask = getattr(module, name + "_mask").detach().clone(memory_format=contiguous_format)
        try:
            module.register_buffer(name + "_mask", method.compute_mask(importance_scores, default_mask=mask))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if is_first:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Tensor | None = None) -> Tensor:
        """A tensor, which no module needs to have, with its pruned elements at zero."""
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise AssertionError("importance_scores should have the same shape as tensor t, got "
                                 f"{importance_scores.shape} vs {t.shape}")
        mask = ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(importance_scores, default_mask=mask)

    def remove(self, module: Module) -> None:
        """Leave the pruned parameter in the place of all that was registered."""
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


def _on_top(cls: type[BasePruningMethod], module: Module, name: str, args: tuple, kwargs: dict) -> BasePruningMethod:
    """A new method, in a container with those that prune the parameter already; their hook is taken off."""
    before = {key: hook for key, hook in module._forward_pre_hooks.items()
              if isinstance(hook, BasePruningMethod) and hook._tensor_name == name}
    if len(before) > 1:
        raise AssertionError(f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a "
                             "PruningContainer.")
    for key in before:
        del module._forward_pre_hooks[key]
    method = cls(*args, **kwargs)
    method._tensor_name = name
    for hook in before.values():
        container = hook if isinstance(hook, PruningContainer) else PruningContainer(hook)
        container.add_pruning_method(method)
        return container
    return method


class PruningContainer(BasePruningMethod):
    """Methods applied one after the other; each prunes what those before it left."""

    def __init__(self, *args) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: BasePruningMethod | None) -> None:
        """Add a method that prunes the same parameter."""
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to "
                             f"PruningContainer {self}. Found '{method._tensor_name}'")
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[BasePruningMethod]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """What the last method leaves of what is not pruned yet."""
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        left = _left(method, t, default_mask)
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=mask.dtype)
        return mask


def _left(method: BasePruningMethod, t: Tensor, mask: Tensor):
    """The index of what a method may still prune: elements, channels, or everything."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return (slice(None),) * len(t.shape)
    if method.PRUNING_TYPE != "structured":
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    if not hasattr(method, "dim"):
        raise AttributeError('Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.')
    ndim = t.dim()
    dim = method.dim + ndim if method.dim < 0 else method.dim
    if dim < 0:
        raise IndexError(f"Index is out of bounds for tensor with dimensions {ndim}")
    kept = mask.sum(dim=[d for d in range(ndim) if d != dim]) != 0
    return tuple([kept if d == dim else slice(None) for d in range(ndim)])
