"""Modules around modules: what is inside keeps no activations for backward, or keeps them in the CPU's memory.

They do not show in a state_dict, so a checkpoint fits a model with and without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, auto
from functools import partial
from typing import Any

from ....autograd.graph import save_on_cpu
from ....core.tensor import Tensor
from ....nn.modules.module import Module
from ....nn.parameter import Parameter
from ....utils.checkpoint import checkpoint
from ...fsdp.wrap import _Policy, lambda_auto_wrap_policy, wrap_inside

_CHECKPOINT_WRAPPED_MODULE = "_checkpoint_wrapped_module"
_CHECKPOINT_PREFIX = _CHECKPOINT_WRAPPED_MODULE + "."


class CheckpointImpl(Enum):
    """Which form of checkpointing is used."""

    REENTRANT = auto()
    NO_REENTRANT = auto()


class ActivationWrapper(Module):
    """A module around a module, whose attributes are those of the inner one."""

    def __init__(self, mod: Module) -> None:
        super().__init__()
        self._checkpoint_wrapped_module = mod
        self._register_state_dict_hook(self._post_state_dict_hook)
        self.register_load_state_dict_pre_hook(self._pre_load_state_dict_hook)

    def forward(self, *args, **kwargs) -> Any:
        raise ValueError("Subclasses should implement forward().")

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self._checkpoint_wrapped_module, name)

    def __getitem__(self, key: int) -> Any:
        return self._checkpoint_wrapped_module[key]

    def named_parameters(self, *args, **kwargs) -> Iterator[tuple[str, Parameter]]:
        """The parameters by the names that they have without this module."""
        for name, parameter in super().named_parameters(*args, **kwargs):
            yield name.replace(_CHECKPOINT_PREFIX, ""), parameter

    @staticmethod
    def _post_state_dict_hook(module: Module, state_dict: dict, prefix: str, *args) -> dict:
        _rename(state_dict, prefix + _CHECKPOINT_PREFIX, prefix)
        return state_dict

    @staticmethod
    def _pre_load_state_dict_hook(module: Module, state_dict: dict, prefix: str, *args) -> None:
        _rename(state_dict, prefix, prefix + _CHECKPOINT_PREFIX)


def _rename(state_dict: dict[str, Tensor], old: str, new: str) -> None:
    """Give what begins with one prefix another."""
    for key in [key for key in state_dict if key.startswith(old)]:
        state_dict[new + key[len(old):]] = state_dict.pop(key)


class OffloadWrapper(ActivationWrapper):
    """What the inner module keeps for backward waits in the CPU's memory."""

    def forward(self, *args, **kwargs) -> Any:
        with save_on_cpu(pin_memory=True):
            return self._checkpoint_wrapped_module(*args, **kwargs)


class CheckpointWrapper(ActivationWrapper):
    """The inner module is called again in backward."""

    def __init__(self, mod: Module, checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
                 checkpoint_fn: Callable | None = None, **checkpoint_fn_kwargs) -> None:
        super().__init__(mod)
        self.checkpoint_impl = checkpoint_impl
        if checkpoint_fn is None:
            use_reentrant = checkpoint_impl is CheckpointImpl.REENTRANT
            self.checkpoint_fn = partial(checkpoint, use_reentrant=use_reentrant, **checkpoint_fn_kwargs)
        else:
            self.checkpoint_fn = partial(checkpoint_fn, **checkpoint_fn_kwargs)

    def forward(self, *args, **kwargs) -> Any:
        if self.checkpoint_impl is not CheckpointImpl.REENTRANT or not kwargs:
            return self.checkpoint_fn(self._checkpoint_wrapped_module, *args, **kwargs)
        names = list(kwargs)  # the reentrant form takes no arguments by name

        def by_position(*inputs) -> Any:
            named = inputs[len(inputs) - len(names):]
            return self._checkpoint_wrapped_module(*inputs[:len(inputs) - len(names)], **dict(zip(names, named)))

        return self.checkpoint_fn(by_position, *args, *kwargs.values())


def offload_wrapper(module: Module) -> Module:
    """The module, whose activations wait in the CPU's memory."""
    return OffloadWrapper(module)


def checkpoint_wrapper(module: Module, checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
                       checkpoint_fn: Callable | None = None, **checkpoint_fn_kwargs) -> Module:
    """The module, whose activations are computed again in backward."""
    return CheckpointWrapper(module, checkpoint_impl, checkpoint_fn, **checkpoint_fn_kwargs)


def apply_activation_checkpointing(model: Module, checkpoint_wrapper_fn: Callable = checkpoint_wrapper,
                                   check_fn: Callable[[Module], bool] = lambda _: True,
                                   auto_wrap_policy: Callable | None = None) -> None:
    """Wrap the modules inside of a model that are chosen."""
    policy = auto_wrap_policy or partial(lambda_auto_wrap_policy, lambda_fn=check_fn)
    if not isinstance(policy, _Policy):
        wrap_inside(model, policy, checkpoint_wrapper_fn)
        return
    chosen = policy.options_of(model, {})
    wrap_inside(model, lambda module, recurse, nonwrapped_numel: recurse or module in chosen,
                lambda module: checkpoint_wrapper_fn(module, **chosen[module]))
