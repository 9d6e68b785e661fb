"""HigherOrderOperator: an op that takes functions; programs say what it does for modes and devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..api.namespace import namespace_of
from ..core import modes, overrides
from ..core.mode_stack import TorchDispatchMode, set_aside
from ..core.overrides import stacks
from ..core.tensor import Tensor
from ..utils._pytree import tree_leaves

# Keys under which work may be registered, in the order in which they are asked; the first are for gradients alone.
_AUTOGRAD = ("AutogradCPU", "Autograd")
_BACKEND = ("CPU", "CompositeExplicitAutograd", "CompositeImplicitAutograd")
_UNSUPPORTED = ("There was no rule registered for HigherOrderOperator {} and mode {}.Hint: set {}"
                ".supports_higher_order_operators to True. This causes all higher order operators to pass through "
                "{}.__torch_dispatch__, so handle them appropriately.")


class HigherOrderOperator:
    """``torch.ops.higher_order.<name>``; programs derive from it and register functions with py_impl()."""

    def __init__(self, name: str, *, cacheable: bool = False) -> None:
        if type(self) is HigherOrderOperator:
            raise RuntimeError("Direct instantiation of HigherOrderOperator is not allowed. Please subclass it.")
        self._name = self.__name__ = name
        self._ns, self._cacheable = "higher_order", cacheable
        self.__module__ = "torch.ops.higher_order"
        self.py_kernels: dict[Any, Callable] = {}
        self.python_key_table: dict[type, Callable] = {}
        self.functorch_table: dict[Any, Callable] = {}
        setattr(namespace_of("higher_order"), name, self)

    @property
    def namespace(self) -> str:
        """Where it stands in torch.ops."""
        return self._ns

    def py_impl(self, k: Any) -> Callable[[Callable], Callable]:
        """What it does for a kind of mode, or under a key; a decorator."""
        def register(function: Callable) -> Callable:
            is_mode = isinstance(k, type) and issubclass(k, TorchDispatchMode)
            kernels = self.python_key_table if is_mode else self.py_kernels
            if is_mode or hasattr(k, "name"):
                kernels[k if is_mode else k.name] = function
                return function
            raise AssertionError(f"py_impl: expected a dispatch key or a class of modes, got {k}")
        return register

    def py_autograd_impl(self, fn: Callable) -> Callable:
        """What it does where gradients are wanted."""
        self.py_kernels["Autograd"] = fn
        return fn

    def fallthrough(self, dispatch_key: Any) -> None:
        """Have a key say nothing of its own."""
        self.py_kernels.pop(dispatch_key.name, None)

    def has_kernel_for_dispatch_key(self, k: Any) -> bool:
        """Whether something is registered under a key."""
        return getattr(k, "name", None) in self.py_kernels

    def __call__(self, *args, **kwargs):
        answer = overrides.ask(self, args, kwargs)
        if answer is not overrides.NO:
            return overrides.settle(answer, self, args, kwargs)
        if stacks.dispatch:
            return self._through_mode(stacks.dispatch[-1], args, kwargs)
        wants_gradient = modes.is_grad_enabled() and any(
            isinstance(leaf, Tensor) and leaf.requires_grad for leaf in tree_leaves((args, kwargs)))
        for key in (*(_AUTOGRAD if wants_gradient else ()), *_BACKEND, *(() if wants_gradient else _AUTOGRAD)):
            if key in self.py_kernels:
                return self.py_kernels[key](*args, **kwargs)
        raise NotImplementedError(f"could not find kernel for HigherOrderOperator {self._name} at dispatch key CPU "
                                  "(resolved from CPU)")

    def _through_mode(self, mode: TorchDispatchMode, args: tuple, kwargs: dict):
        handler = self.python_key_table.get(type(mode))
        if handler is None and not mode.supports_higher_order_operators:
            kind = type(mode).__name__
            raise NotImplementedError(_UNSUPPORTED.format(self._name, mode, kind, kind))
        with set_aside(TorchDispatchMode):
            if handler is not None:
                return handler(mode, *args, **kwargs)
            return mode.__torch_dispatch__(self, [], args, kwargs)

    def name(self) -> str:
        """Its name in torch.ops."""
        return self._name

    def __str__(self) -> str:
        return self._name

    def __repr__(self) -> str:
        return f"<HigherOrderOperator: {self._name}>"


HigherOrderOperator.__module__ = "torch._ops"
