"""torch.nn.Module: a tree of parameters, buffers and other modules that can be called."""

from __future__ import annotations

from collections import OrderedDict
from types import FunctionType
from typing import Any, TypeVar

from ...record import calls, rows, watch
from ...record.layout import MODULES, STACKS
from . import quick_module
from .convert import Convert
from .facts import facts_of, layout_of
from .hooks import (
    Hooks,
    _global_backward_hooks,
    _global_backward_pre_hooks,
    _global_forward_hooks,
    _global_forward_hooks_always_called,
    _global_forward_hooks_with_kwargs,
    _global_forward_pre_hooks,
    _global_is_full_backward_hook,
    register_module_backward_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
)
from .registration import (
    Registration,
    _global_buffer_registration_hooks,
    _global_module_registration_hooks,
    _global_parameter_registration_hooks,
    register_module_buffer_registration_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from .state import EXTRA_STATE as _EXTRA_STATE_KEY_SUFFIX
from .state import State, _IncompatibleKeys
from .walk import Walk

__all__ = [
    "Module",
    "_EXTRA_STATE_KEY_SUFFIX",
    "_IncompatibleKeys",
    "_global_buffer_registration_hooks",
    "_global_forward_hooks_always_called",
    "_global_forward_hooks_with_kwargs",
    "_global_is_full_backward_hook",
    "_global_module_registration_hooks",
    "_global_parameter_registration_hooks",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

# Every module's own tables of hooks; a handle refers to one of them weakly, which plain dicts do not allow.
_TABLES = ("_backward_pre_hooks", "_backward_hooks", "_forward_hooks", "_forward_hooks_with_kwargs",
           "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
           "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks")


TRACED = STACKS | MODULES
T_destination = TypeVar("T_destination", bound=dict[str, Any])


class Module(Registration, Walk, Convert, State, Hooks):
    """Base of all layers and models: assign parameters and modules in ``__init__``, compute in ``forward``."""

    dump_patches: bool = False
    T_destination = T_destination
    _version: int = 1
    training: bool
    call_super_init: bool = False
    _compiled_call_impl = None

    def __init__(self, *args, **kwargs) -> None:
        if not self.call_super_init and (args or kwargs):
            if kwargs:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                                f"'{next(iter(kwargs))}'")
            raise TypeError(f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were "
                            "given")
        own = self.__dict__
        own["training"] = True
        own["_parameters"] = {}
        own["_buffers"] = {}
        own["_non_persistent_buffers_set"] = set()
        for table in _TABLES:
            own[table] = OrderedDict()
            if table == "_backward_hooks":
                own["_is_full_backward_hook"] = None
        own["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def __init_subclass__(cls, **options) -> None:
        super().__init_subclass__(**options)
        quick_module.install(cls)

    def forward(self, *input) -> None:
        """What the module computes; every subclass says it."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def _wrapped_call_impl(self, *args, **kwargs):
        """Call forward, and on the way the hooks if there is any."""
        wanted = rows.is_listening()
        if wanted & TRACED:
            return self._traced_call(wanted, args, kwargs)
        if self._has_hooks():
            return self._call_impl(*args, **kwargs)
        if kwargs:
            return self.forward(*args, **kwargs)
        return self.forward(*args)  # without an empty dict to merge

    def _traced_call(self, wanted: int, args: tuple, kwargs: dict):
        """The same under a row that names the module, as a profile with stacks shows it, or with modules counts it."""
        path_row = watch.open_module_range(self, layout_of) if wanted & MODULES else -1
        row = watch.open_module(self, facts_of) if wanted & STACKS else -1
        try:
            return self._call_impl(*args, **kwargs) if self._has_hooks() else self.forward(*args, **kwargs)
        finally:
            if row >= 0:
                rows.close_range(row)
            if path_row >= 0:
                rows.close_range(path_row)

    def _has_hooks(self) -> bool:
        return bool(self._forward_hooks or self._forward_pre_hooks or self._backward_hooks or self._backward_pre_hooks
                    or _global_forward_hooks or _global_forward_pre_hooks or _global_backward_hooks
                    or _global_backward_pre_hooks)

    __call__ = _wrapped_call_impl
    for _hidden in (_wrapped_call_impl, _traced_call, _has_hooks, __init_subclass__):
        calls.hide(_hidden)
    del _hidden

    def __getstate__(self) -> dict:
        state = self.__dict__.copy()  # programs take out of it what cannot be pickled
        state.pop("_compiled_call_impl", None)
        return state

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        for table in _TABLES:  # a module pickled before these existed
            if table not in self.__dict__:
                self.__dict__[table] = OrderedDict()
        self.__dict__.setdefault("_non_persistent_buffers_set", set())
        self.__dict__.setdefault("_is_full_backward_hook", None)

    def _replicate_for_data_parallel(self):
        """A module of the same class and members that has no parameters yet."""
        replica = self.__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = {}
        replica._buffers = replica._buffers.copy()
        replica._modules = replica._modules.copy()
        replica._is_replica = True
        return replica

    def compile(self, *args, **kwargs) -> None:
        """Nothing: modules run as they are here (torch.compiler)."""

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What to show of this module beside its children."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): {indented(repr(module))}" for name, module in self._modules.items()]
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({extra})"
        if not lines and not children:
            return f"{self._get_name()}()"
        inside = "\n  ".join(lines + children)
        return f"{self._get_name()}(\n  {inside}\n)"


for _half in (Registration, Walk, Convert, State, Hooks):  # errors of Python name the class that users know
    for _member in vars(_half).values():
        if isinstance(_member, FunctionType):
            _member.__qualname__ = f"Module.{_member.__name__}"
quick_module.prepare(Module, (_global_forward_hooks, _global_forward_pre_hooks, _global_backward_hooks,
                              _global_backward_pre_hooks))
quick_module.install(Module)


def indented(text: str, spaces: int = 2) -> str:
    """A text whose lines, all but the first, are moved to the right."""
    return text.replace("\n", "\n" + " " * spaces)
