"""Hooks around a module's forward and backward: registering them, and the call that runs them."""

from __future__ import annotations

import sys
import warnings
from collections import OrderedDict
from collections.abc import Callable

from ...autograd.hooks import RemovableHandle
from ...core.tensor import Tensor
from .backward_hook import BackwardHook

_BOTH = ("Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of "
         "them.")
_BOTH_GLOBALLY = ("Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use "
                  "only one of them.")
_OLD = ("Using {} is deprecated and will be removed in future versions. This hook will be missing some {}. Please use "
        "register_full_backward_hook to get the documented behavior.")

_global_forward_pre_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_forward_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_forward_hooks_always_called: OrderedDict[int, bool] = OrderedDict()
_global_forward_hooks_with_kwargs: OrderedDict[int, bool] = OrderedDict()
_global_backward_pre_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_backward_hooks: OrderedDict[int, Callable] = OrderedDict()


# Which of the two kinds the global backward hooks are, once there were any.
_global_is_full_backward_hook: bool | None = None


def _home():
    """torch's address of these tables, where programs may put others in their place."""
    return sys.modules[f"{__package__}.module"]


class Hooks:
    """The half of Module that lets others watch and change its calls."""

    def register_forward_pre_hook(self, hook: Callable, *, prepend: bool = False,
                                  with_kwargs: bool = False) -> RemovableHandle:
        """Call ``hook(module, args)`` before forward; what it returns replaces the arguments."""
        handle = RemovableHandle(self._forward_pre_hooks, extra_dict=self._forward_pre_hooks_with_kwargs)
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        return _insert(self._forward_pre_hooks, handle, hook, prepend)

    def register_forward_hook(self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False,
                              always_call: bool = False) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after forward; what it returns replaces the output."""
        handle = RemovableHandle(self._forward_hooks, extra_dict=[self._forward_hooks_with_kwargs,
                                                                  self._forward_hooks_always_called])
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        return _insert(self._forward_hooks, handle, hook, prepend)

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(module, grad_output)`` before the gradient of the module is computed."""
        return _insert(self._backward_pre_hooks, RemovableHandle(self._backward_pre_hooks), hook, prepend)

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` once the gradient of the module's inputs is known."""
        if self._is_full_backward_hook is False:
            raise RuntimeError(_BOTH)
        self._is_full_backward_hook = True
        return _insert(self._backward_hooks, RemovableHandle(self._backward_hooks), hook, prepend)

    def register_backward_hook(self, hook: Callable) -> RemovableHandle:
        """The older backward hook, which sees only the last node of the module."""
        if self._is_full_backward_hook is True:
            raise RuntimeError(_BOTH)
        self._is_full_backward_hook = False
        return _insert(self._backward_hooks, RemovableHandle(self._backward_hooks), hook, False)

    # -- the call with hooks -----------------------------------------------------------------------------------------

    def _call_impl(self, *args, **kwargs):
        """forward with every hook around it; what Module.__call__ does when there is any."""
        called: set[int] = set()
        result = None
        try:
            args, kwargs = self._before_forward(args, kwargs)
            full, old = self._get_backward_hooks()
            before = self._get_backward_pre_hooks()
            watch = BackwardHook(self, full, before) if full or before else None
            if watch is not None:
                args = watch.setup_input_hook(args)
            result = self.forward(*args, **kwargs)
            result = self._after_forward(args, kwargs, result, called)
            if watch is not None:
                if not isinstance(result, (Tensor, tuple)):
                    warnings.warn("For backward hooks to be called, module output should be a Tensor or a tuple of "
                                  f"Tensors but received {type(result)}", stacklevel=2)
                result = watch.setup_output_hook(result)
            if old:
                _attach_old(self, old, args, result)
            return result
        except Exception:
            self._after_failure(args, kwargs, result, called)
            raise

    def _before_forward(self, args: tuple, kwargs: dict):
        for hook_id, hook in (*_home()._global_forward_pre_hooks.items(), *self._forward_pre_hooks.items()):
            if hook_id in self._forward_pre_hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is None:
                    continue
                if not isinstance(changed, tuple) or len(changed) != 2:
                    raise RuntimeError("forward pre-hook must return None or a tuple of (new_args, new_kwargs), but "
                                       f"got {changed}.")
                args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        return args, kwargs

    def _after_forward(self, args: tuple, kwargs: dict, result, called: set[int]):
        for hooks, with_kwargs, always in self._forward_hook_tables():
            for hook_id, hook in (*hooks.items(),):
                if hook_id in always:
                    called.add(hook_id)
                changed = hook(self, args, kwargs, result) if hook_id in with_kwargs else hook(self, args, result)
                if changed is not None:
                    result = changed
        return result

    def _after_failure(self, args: tuple, kwargs: dict, result, called: set[int]) -> None:
        """Hooks that asked to be called always, each once; what they return or raise no longer counts."""
        for hooks, with_kwargs, always in self._forward_hook_tables():
            for hook_id, hook in (*hooks.items(),):
                if hook_id not in always or hook_id in called:
                    continue
                try:
                    changed = hook(self, args, kwargs, result) if hook_id in with_kwargs else hook(self, args, result)
                    result = result if changed is None else changed
                except Exception as error:
                    is_global = hooks is _home()._global_forward_hooks
                    where = "global module forward hook" if is_global else "module forward hook"
                    warnings.warn(f"{where} with ``always_call=True`` raised an exception that was silenced as another "
                                  f"error was raised in forward: {error}", stacklevel=2)

    def _forward_hook_tables(self):
        home = _home()
        return ((home._global_forward_hooks, home._global_forward_hooks_with_kwargs,
                 home._global_forward_hooks_always_called),
                (self._forward_hooks, self._forward_hooks_with_kwargs, self._forward_hooks_always_called))

    def _get_backward_hooks(self):
        """The full hooks and the old ones that hold for this module."""
        full, old = [], []
        if _home()._global_backward_hooks:
            (full if _home()._global_is_full_backward_hook else old).extend(_home()._global_backward_hooks.values())
        (full if self._is_full_backward_hook else old).extend(self._backward_hooks.values())
        return full, old

    def _get_backward_pre_hooks(self):
        return [*_home()._global_backward_pre_hooks.values(), *self._backward_pre_hooks.values()]


def _insert(hooks: OrderedDict, handle: RemovableHandle, hook: Callable, first: bool) -> RemovableHandle:
    hooks[handle.id] = hook
    if first:
        hooks.move_to_end(handle.id, last=False)
    return handle


# -- the older backward hooks ------------------------------------------------------------------------------------------

def _attach_old(module, hooks: list, args: tuple, result) -> None:
    """Put the older hooks on the node of the first tensor found in a result."""
    output = result
    while not isinstance(output, Tensor):
        output = next(iter(output.values())) if isinstance(output, dict) else output[0]
    node = output.grad_fn
    if node is None:
        return
    for hook in hooks:
        node.register_hook(lambda grad_in, grad_out, hook=hook: hook(module, grad_in, grad_out))
    _warn_about_old(args, result, node)


def _warn_about_old(args, result, node) -> None:
    """Say where the older hooks see less than they seem to."""
    results = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(r, Tensor) for r in results):
        reason = ("non-full backward hooks on a Module that does not return a single Tensor or a tuple of Tensors",
                  "of the grad_output")
    elif not all(isinstance(i, Tensor) for i in args):
        reason = ("non-full backward hooks on a Module that does not take as input a single Tensor or a tuple of "
                  "Tensors", "of the grad_input")
    elif len({r.grad_fn for r in results if r.grad_fn is not None}) > 1:
        reason = "a non-full backward hook when outputs are generated by different autograd Nodes", "grad_output"
    elif {i.grad_fn for i in args if i.grad_fn is not None} == {n[0] for n in node.next_functions}:
        return
    else:
        reason = "a non-full backward hook when the forward contains multiple autograd Nodes", "grad_input"
    warnings.warn(_OLD.format(*reason), FutureWarning, stacklevel=2)


# -- hooks on all modules ----------------------------------------------------------------------------------------------

def register_module_forward_pre_hook(hook: Callable) -> RemovableHandle:
    """Call ``hook(module, args)`` before the forward of every module."""
    return _insert(_home()._global_forward_pre_hooks, RemovableHandle(_home()._global_forward_pre_hooks), hook, False)


def register_module_forward_hook(hook: Callable, *, with_kwargs: bool = False,
                                 always_call: bool = False) -> RemovableHandle:
    """Call ``hook(module, args, output)`` after the forward of every module."""
    home = _home()
    handle = RemovableHandle(home._global_forward_hooks, extra_dict=[home._global_forward_hooks_with_kwargs,
                                                                     home._global_forward_hooks_always_called])
    if with_kwargs:
        home._global_forward_hooks_with_kwargs[handle.id] = True
    if always_call:
        home._global_forward_hooks_always_called[handle.id] = True
    return _insert(home._global_forward_hooks, handle, hook, False)


def register_module_full_backward_pre_hook(hook: Callable) -> RemovableHandle:
    """Call ``hook(module, grad_output)`` before the backward of every module."""
    return _insert(_home()._global_backward_pre_hooks, RemovableHandle(_home()._global_backward_pre_hooks), hook, False)


def register_module_full_backward_hook(hook: Callable) -> RemovableHandle:
    """Call ``hook(module, grad_input, grad_output)`` in the backward of every module."""
    if _home()._global_is_full_backward_hook is False:
        raise RuntimeError(_BOTH_GLOBALLY)
    _home()._global_is_full_backward_hook = True
    return _insert(_home()._global_backward_hooks, RemovableHandle(_home()._global_backward_hooks), hook, False)


def register_module_backward_hook(hook: Callable) -> RemovableHandle:
    """The older backward hook, on every module."""
    if _home()._global_is_full_backward_hook is True:
        raise RuntimeError(_BOTH_GLOBALLY)
    _home()._global_is_full_backward_hook = False
    return _insert(_home()._global_backward_hooks, RemovableHandle(_home()._global_backward_hooks), hook, False)
