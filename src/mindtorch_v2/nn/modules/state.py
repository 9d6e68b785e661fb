"""A module's state as a flat dict of tensors, and back."""

from __future__ import annotations

import functools
import itertools
import warnings
import weakref
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping

from ...autograd.grad_mode import no_grad
from ...autograd.hooks import RemovableHandle
from ...core.tensor import Tensor
from ..parameter import Parameter, is_lazy

EXTRA_STATE = "_extra_state"
_NEVER = ("Reached a code path in Module.{}() that should never be called. Please file an issue at "
          "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug.")
_POSITIONAL = ("Positional args are being deprecated, use kwargs instead. Refer to "
               "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.")
_NO_RESULT = ("Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if "
              "incompatible_keys need to be modified, it should be done inplace.")

_INTO_META = ("for {}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, "
              "which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their "
              "corresponding key in the module instead of copying them in place?)")


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])):  # noqa: N801
    """What did not match when a state was loaded."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


class State:
    """The half of Module that saves and loads."""

    # -- out -------------------------------------------------------------------------------------------------------

    def state_dict(self, *args, destination=None, prefix: str = "", keep_vars: bool = False):
        """All parameters and persistent buffers by their dotted names; they share memory with the module."""
        if args:
            warnings.warn(_POSITIONAL, FutureWarning, stacklevel=2)
            given = dict(zip(("destination", "prefix", "keep_vars"), args))
            destination = given["destination"] if destination is None else destination
            prefix, keep_vars = given.get("prefix", prefix) or prefix, given.get("keep_vars", keep_vars) or keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        return self._after_saving(destination, prefix, local_metadata)

    def _after_saving(self, destination, prefix, local_metadata):
        for hook in self._state_dict_hooks.values():
            result = hook(self, destination, prefix, local_metadata)
            if getattr(hook, "_from_public_api", False):
                if result is not None:
                    raise RuntimeError("state_dict post-hook must return None")
            elif result is not None:
                destination = result
        return destination

    def _save_to_state_dict(self, destination, prefix: str, keep_vars: bool) -> None:
        for name, tensor in itertools.chain(self._parameters.items(), self._lasting_buffers()):
            if tensor is not None:
                destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if type(self).get_extra_state is not State.get_extra_state:
            destination[prefix + EXTRA_STATE] = self.get_extra_state()

    def _lasting_buffers(self):
        return [(k, v) for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set]

    def get_extra_state(self):
        """What else to save; override it together with set_extra_state."""
        raise RuntimeError(_NEVER.format("get_extra_state"))

    def set_extra_state(self, state) -> None:
        """Take back what get_extra_state gave."""
        raise RuntimeError(_NEVER.format("set_extra_state"))

    # -- in --------------------------------------------------------------------------------------------------------

    def load_state_dict(self, state_dict: Mapping, strict: bool = True, assign: bool = False) -> _IncompatibleKeys:
        """Copy tensors of a dict into this module, or with ``assign`` put them in place of its own."""
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata
        self._load_tree(state_dict, "", metadata, assign, (missing, unexpected, errors))
        if strict:
            if unexpected:
                errors.insert(0, f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ")
            if missing:
                errors.insert(0, f"Missing key(s) in state_dict: {_quoted(missing)}. ")
        if errors:
            listed = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}")
        return _IncompatibleKeys(missing, unexpected)

    def _load_tree(self, state_dict, prefix, metadata, assign, reports) -> None:
        """Load this module, then its children with their part of the dict, then let the hooks see what is missing."""
        missing, unexpected, _ = reports
        local_metadata = {} if metadata is None else metadata.get(prefix[:-1], {})
        if assign:
            local_metadata["assign_to_params_buffers"] = assign
        self._load_from_state_dict(state_dict, prefix, local_metadata, True, *reports)
        for name, child in self._modules.items():
            if child is not None:
                below = f"{prefix}{name}."
                part = {k: v for k, v in state_dict.items() if k.startswith(below)}
                child._load_tree(part, below, metadata, assign, reports)
        keys = _IncompatibleKeys(missing, unexpected)
        for hook in self._load_state_dict_post_hooks.values():
            if hook(self, keys) is not None:
                raise AssertionError(_NO_RESULT)

    def _load_from_state_dict(self, state_dict, prefix: str, local_metadata: dict, strict: bool, missing_keys: list,
                              unexpected_keys: list, error_msgs: list) -> None:
        """Load what belongs to this module alone; subclasses override it to read older formats."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        assign = local_metadata.get("assign_to_params_buffers", False)
        own = {k: v for k, v in itertools.chain(self._parameters.items(), self._lasting_buffers()) if v is not None}
        for name, tensor in own.items():
            key = prefix + name
            if key in state_dict:
                complaint = _load_tensor(self, name, tensor, key, state_dict[key], assign)
                if complaint:
                    error_msgs.append(complaint)
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA_STATE
        if type(self).set_extra_state is not State.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    name, _, deeper = key[len(prefix):].partition(".")
                    if name not in self._modules if deeper else name not in own:
                        unexpected_keys.append(key)

    # -- hooks -----------------------------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self, hook) -> RemovableHandle:
        """Call ``hook(module, prefix, keep_vars)`` before the state is collected."""
        return _add(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after the state was collected."""
        hook._from_public_api = True
        return _add(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook) -> RemovableHandle:
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError("Cannot register the same function as the state dict post hook that was previously "
                               "registered via register_state_dict_post_hook")
        return _add(self._state_dict_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module: bool = False) -> RemovableHandle:
        return _add(self._load_state_dict_pre_hooks, _WrappedHook(hook, self if with_module else None))

    def register_load_state_dict_pre_hook(self, hook) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, …)`` before this module reads its part of a state."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook) -> RemovableHandle:
        """Call ``hook(module, incompatible_keys)`` after a state was read."""
        return _add(self._load_state_dict_post_hooks, hook)


def _add(hooks: OrderedDict, hook) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def _quoted(keys: list[str]) -> str:
    return ", ".join(f'"{k}"' for k in keys)


def _load_tensor(module, name: str, tensor: Tensor, key: str, given, assign: bool) -> str | None:
    """Copy or assign one tensor; a complaint instead of an error, so that all of them can be listed."""
    if not isinstance(given, Tensor):
        return (f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                f"checkpoint but received {type(given)}")
    waits = is_lazy(tensor)
    if not waits and tensor.dim() == 0 and given.shape == (1,):
        given = given[0]  # torch 0.3 saved numbers as vectors of one
    if not waits and given.shape != tensor.shape:
        return (f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in "
                f"current model is {tensor.shape}.")
    if tensor.is_meta and not given.is_meta and not assign:
        warnings.warn(_INTO_META.format(key), stacklevel=2)
    try:
        with no_grad():
            if not assign:
                tensor.copy_(given)
                return None
            if isinstance(tensor, Parameter):
                if not isinstance(given, Parameter):
                    given = Parameter(given, requires_grad=tensor.requires_grad)
                else:
                    given.requires_grad_(tensor.requires_grad)
            setattr(module, name, given)
    except Exception as error:
        return (f'While copying the parameter named "{key}", whose dimensions in the model are {tensor.size()} and '
                f"whose dimensions in the checkpoint are {given.size()}, an exception occurred : {error.args}.")
    return None


class _WrappedHook:
    """A hook that may get its module first; it does not keep the module alive, which has the hook."""

    def __init__(self, hook: Callable, module=None):
        functools.update_wrapper(self, hook)
        self.hook, self.with_module = hook, module is not None
        if self.with_module:
            self.module = weakref.ref(module)

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self) -> dict:
        state = {"hook": self.hook, "with_module": self.with_module}
        return state | {"module": self.module()} if self.with_module else state

    def __setstate__(self, state: dict) -> None:
        self.__init__(state["hook"], state.get("module") if state["with_module"] else None)
