"""torch.distributed.fsdp.wrap: which modules of a model get a module around them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...nn.modules.activation import MultiheadAttention
from ...nn.modules.container import ModuleDict, ModuleList
from ...nn.modules.module import Module

__all__ = ["CustomPolicy", "ModuleWrapPolicy", "always_wrap_policy", "enable_wrap", "lambda_auto_wrap_policy",
           "size_based_auto_wrap_policy", "transformer_auto_wrap_policy", "wrap"]
_HUNDRED_MILLION = 100_000_000


def wrap_inside(root: Module, policy: Callable[..., bool], wrapper: Callable[[Module], Module]) -> None:
    """Put a wrapper around the modules inside the root that a policy chooses, the innermost first.

    The policy is asked whether to look inside of a module (``recurse``), and then, with the number of parameters in
    it that no inner wrapper took, whether to wrap it. A module that stands in several places is wrapped once.
    """
    wrappers: dict[Module, Module] = {}

    def descend(parent: Module) -> int:
        """How many parameters of this module are in wrappers now."""
        numel = sum(parameter.numel() for parameter in parent.parameters())
        if not policy(module=parent, recurse=True, nonwrapped_numel=numel):
            return 0
        taken = 0
        for name, child in list(parent.named_children()):
            inside = sum(parameter.numel() for parameter in child.parameters())
            if child not in wrappers:
                inside_wrappers = descend(child)
                if not policy(module=child, recurse=False, nonwrapped_numel=inside - inside_wrappers):
                    taken += inside_wrappers
                    continue
                wrappers[child] = wrapper(child)
            setattr(parent, name, wrappers[child])
            taken += inside
        return taken

    descend(root)


def always_wrap_policy(*args, **kwargs) -> bool:
    """Every module."""
    return True


def _module_wrap_policy(module: Module, recurse: bool, nonwrapped_numel: int, module_classes: set[type]) -> bool:
    return recurse or isinstance(module, tuple(module_classes))


def transformer_auto_wrap_policy(module: Module, recurse: bool, nonwrapped_numel: int,
                                 transformer_layer_cls: set[type[Module]]) -> bool:
    """Modules of some classes."""
    return _module_wrap_policy(module, recurse, nonwrapped_numel, transformer_layer_cls)


def _wrap_module_cls_individually(module: Module, module_classes: Sequence[type], recurse: bool, *args,
                                  **kwargs) -> bool:
    return recurse or isinstance(module, tuple(module_classes))


def lambda_auto_wrap_policy(module: Module, recurse: bool, nonwrapped_numel: int,
                            lambda_fn: Callable[[Module], bool]) -> bool:
    """Modules for which a function of the program's says so."""
    return recurse or lambda_fn(module)


def _or_policy(module: Module, recurse: bool, nonwrapped_numel: int, policies: Iterable[Callable]) -> bool:
    return any(policy(module=module, recurse=recurse, nonwrapped_numel=nonwrapped_numel) for policy in policies)


def size_based_auto_wrap_policy(module: Module, recurse: bool, nonwrapped_numel: int,
                                min_num_params: int = _HUNDRED_MILLION,
                                force_leaf_modules: set[type[Module]] | None = None,
                                exclude_wrap_modules: set[type[Module]] | None = None) -> bool:
    """Modules with so many parameters that nothing inside of them has taken."""
    leaves = size_based_auto_wrap_policy.FORCE_LEAF_MODULES if force_leaf_modules is None else force_leaf_modules
    never = size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES if exclude_wrap_modules is None else exclude_wrap_modules
    if nonwrapped_numel < min_num_params:
        return False
    return not isinstance(module, tuple(leaves if recurse else never))


size_based_auto_wrap_policy.EXCLUDE_WRAP_MODULES = {ModuleList, ModuleDict}
size_based_auto_wrap_policy.FORCE_LEAF_MODULES = {MultiheadAttention}


class _Policy:
    """A choice of modules for a whole model."""

    def options_of(self, root: Module, options: dict[str, Any]) -> dict[Module, dict[str, Any]]:
        """The modules that are chosen, each with the options of its wrapper."""
        raise NotImplementedError

    def _run_policy(self, root_module: Module, ignored_modules: set[Module],
                    root_kwargs: dict[str, Any]) -> dict[Module, dict[str, Any]]:
        chosen = self.options_of(root_module, root_kwargs)
        return {module: options for module, options in chosen.items() if module not in ignored_modules}


class ModuleWrapPolicy(_Policy):
    """Modules of some classes, for a whole model or asked one by one."""

    def __init__(self, module_classes: Iterable[type[Module]]) -> None:
        self._module_classes = set(module_classes)

    def options_of(self, root: Module, options: dict[str, Any]) -> dict[Module, dict[str, Any]]:
        return {m: dict(options) for m in root.modules() if isinstance(m, tuple(self._module_classes))}

    def __call__(self, module: Module, recurse: bool, *args, **kwargs) -> bool:
        return _module_wrap_policy(module, recurse, -1, self._module_classes)

    def __repr__(self) -> str:
        return f"{super().__repr__()}({self._module_classes})"


class CustomPolicy(_Policy):
    """Modules for which a function says True, or which options their wrapper is to have beside the root's."""

    def __init__(self, lambda_fn: Callable[[Module], bool | dict[str, Any]]) -> None:
        self._lambda_fn = lambda_fn

    def options_of(self, root: Module, options: dict[str, Any]) -> dict[Module, dict[str, Any]]:
        chosen = {}
        for module in root.modules():
            answer = self._lambda_fn(module)
            if not isinstance(answer, (dict, bool)):
                raise ValueError("The lambda_fn passed to CustomPolicy should return False/True or a kwarg dict, but "
                                 f"it returned {answer}")
            if answer is not False:
                chosen[module] = {**options, **(answer if isinstance(answer, dict) else {})}
        return chosen


_enabled: list[tuple[Callable, dict[str, Any]]] = []


@contextmanager
def enable_wrap(*, wrapper_cls: Callable, **wrapper_kwargs) -> Iterator[None]:
    """Inside, wrap() puts an instance of this class around modules."""
    _enabled.append((wrapper_cls, wrapper_kwargs))
    try:
        yield
    finally:
        _enabled.pop()


def wrap(module: Module, **wrap_overrides) -> Module:
    """The module in a wrapper inside of enable_wrap(), the module itself elsewhere."""
    if not _enabled:
        return module
    wrapper_cls, options = _enabled[-1]
    return wrapper_cls(module, **{**options, **wrap_overrides})
