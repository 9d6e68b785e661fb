"""The base of all optimisers: parameter groups, state, hooks, and what a profile shows of them."""

from __future__ import annotations

import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from ..api.functions import torch
from ..autograd.hooks import RemovableHandle, add
from ..core.tensor import Tensor
from ..record.plain_text import name_of_type
from ..record.ranges import record_range
from . import step_range
from .state_dict import pack, unpack
from .step_range import graded_if_differentiable as _use_grad_for_differentiable  # noqa: F401
from .step_range import register_optimizer_step_post_hook, register_optimizer_step_pre_hook  # noqa: F401  torch's address
from .steps import (  # noqa: F401  torch's address
    DeviceDict,
    DeviceDtypeDict,
    ParamsT,
    _default_to_fused_or_foreach,
    _disable_dynamo_if_unsupported,
    _get_capturable_supported_devices,
    _get_foreach_kernels_supported_devices,
    _get_fused_kernels_supported_devices,
    _get_scalar_dtype,
    _get_value,
    _group_tensors_by_device_and_dtype,
    _stack_if_compiling,
    _to_scalar,
    _view_as_real,
)

HOOKS = ("step_pre", "step_post", "state_dict_pre", "state_dict_post", "load_state_dict_pre", "load_state_dict_post")


class _RequiredParameter:
    """Stands in ``defaults`` for an option without one."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _RequiredParameter()


class Optimizer:
    """Parameters in groups of common options, and one dict of state for each of them."""

    def __init__(self, params: Iterable, defaults: dict[str, Any]):
        self.defaults = defaults
        self._setup()
        if isinstance(params, Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                            + _typename(params))
        self.state: defaultdict = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _setup(self) -> None:
        """What is not part of the state: hooks, and the names a profile shows."""
        for kind in HOOKS:
            self.__dict__.setdefault(f"_optimizer_{kind}_hooks", OrderedDict())
        self._patch_step_function()

    def _patch_step_function(self) -> None:
        self._zero_grad_profile_name = f"Optimizer.zero_grad#{name_of_type(type(self))}.zero_grad"
        step_range.patch(type(self))

    profile_hook_step = staticmethod(step_range.hooked)
    _group_tensors_by_device_and_dtype = staticmethod(_group_tensors_by_device_and_dtype)

    def _optimizer_step_code(self) -> None:
        """Called at the end of every step; nothing here, for others to take hold of."""

    # -- pickling and printing ---------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._setup()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            for key in sorted(group.keys() - {"params"}):
                text += f"    {key}: {group[key]}\n"
        return text + ")"

    # -- the work ----------------------------------------------------------------------------------------------------

    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Change the parameters by their gradients; every optimiser says how."""
        raise NotImplementedError

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients, or fill them with zeros."""
        with record_range(self._zero_grad_profile_name):
            kept = []
            for group in self.param_groups:
                for p in group["params"]:
                    if set_to_none:
                        p.grad = None
                    elif p.grad is not None:
                        kept.append(_without_history(p.grad))
            if kept:
                self._fill_with_zeros(kept)

    def _fill_with_zeros(self, grads: list[Tensor]) -> None:
        if not (self.defaults.get("foreach") or self.defaults.get("fused")):
            for grad in grads:
                grad.zero_()
            return
        by_type = defaultdict(list)
        for grad in grads:
            by_type[grad.dtype].append(grad)
        for alike in by_type.values():
            torch._foreach_zero_(alike)

    # -- parameter groups --------------------------------------------------------------------------------------------

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Train more parameters, with options of their own where the group gives them."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        _take_params(param_group)
        differentiable = self.defaults.get("differentiable", None)
        for p in param_group["params"]:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {_typename(p)}")
            if not differentiable and not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        self._check_newcomers(param_group)
        self.param_groups.append(param_group)

    def _check_newcomers(self, param_group: dict[str, Any]) -> None:
        """No parameter twice, and names for all groups or for none."""
        new = {id(p) for p in param_group["params"]}
        if len(new) != len(param_group["params"]):
            warnings.warn("optimizer contains a parameter group with duplicate parameters; in future, this will cause "
                          "an error; see github.com/pytorch/pytorch/issues/40967 for more information", stacklevel=3)
        if self.param_groups:
            named = "param_names" in param_group
            if named != ("param_names" in self.param_groups[0]):
                raise ValueError("all optimizer param groups should be with/without names. cannot add param group "
                                 f"{'with' if named else 'without'} names to the optimizer")
        if any(id(p) in new for group in self.param_groups for p in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")

    # -- state as data -----------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """State and options as plain data, parameters as numbers."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        packed = pack(self.param_groups, self.state)
        for hook in self._optimizer_state_dict_post_hooks.values():
            packed = _or(hook(self, packed), packed)
        return packed

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what ``state_dict()`` gave; tensors are cast to their parameter's type."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            state_dict = _or(hook(self, state_dict), state_dict)
        self.__setstate__(unpack(self.param_groups, state_dict))
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    # -- hooks -------------------------------------------------------------------------------------------------------

    def register_step_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` before each step; it may return new ``(args, kwargs)``."""
        return add(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return add(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer)`` before ``state_dict()`` reads anything."""
        return _insert(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` on what ``state_dict()`` gives; it may return another."""
        return _insert(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` before loading; it may return another."""
        return _insert(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer)`` after loading."""
        return _insert(self._optimizer_load_state_dict_post_hooks, hook, prepend)


def _insert(hooks: OrderedDict, hook: Callable, prepend: bool) -> RemovableHandle:
    handle = add(hooks, hook)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _or(given, otherwise):
    return otherwise if given is None else given


def _take_params(group: dict[str, Any]) -> None:
    """Make the group's ``params`` a list of tensors, and of ``(name, tensor)`` pairs two lists."""
    params = group["params"]
    if isinstance(params, Tensor):
        params = [params]
    elif isinstance(params, set):
        raise TypeError("optimizer parameters need to be organized in ordered collections, but the ordering of "
                        "tensors in sets will change between runs. Please use a list instead.")
    params = list(params)
    named = [isinstance(p, tuple) for p in params]
    if any(named):
        if not all(named):
            raise ValueError("all optimizer params should be with/without names. Some param names are missing")
        group["param_names"] = [name for name, _ in params]
        params = [p for _, p in params]
    group["params"] = params


def _typename(value) -> str:
    if isinstance(value, Tensor):
        return value.type()
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _without_history(grad: Tensor) -> Tensor:
    """A gradient that will be written must not lead back anywhere."""
    if grad.grad_fn is not None:
        grad.detach_()
    else:
        grad.requires_grad_(False)
    return grad
