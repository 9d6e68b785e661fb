"""Becoming part of a module: what happens when a parameter, a buffer or a module is assigned to it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from inspect import signature

from ...autograd.hooks import RemovableHandle
from ...core.tensor import Tensor
from ...ops.python import queries
from ..parameter import Buffer, Parameter

_global_parameter_registration_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_buffer_registration_hooks: OrderedDict[int, Callable] = OrderedDict()
_global_module_registration_hooks: OrderedDict[int, Callable] = OrderedDict()


def _is_like_tensor(value) -> bool:
    return isinstance(value, Tensor) or hasattr(value, "__torch_function__")


class Registration:
    """The half of Module that keeps the three tables of its members."""

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter, or a name that may become one."""
        own = self.__dict__
        if "_parameters" not in own:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        _check_name(self, "parameter", name, own["_parameters"])
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter "
                                "or None required)")
            if param.grad_fn is not None:
                raise ValueError(f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                                 f"created explicitly. To express '{name}' as a function of another Tensor, compute "
                                 "the value in the forward() method.")
            if _global_parameter_registration_hooks:
                param = _changed(_global_parameter_registration_hooks, self, name, param)
        own["_parameters"][name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the state but is not trained."""
        own = self.__dict__
        if "_buffers" not in own:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        _check_name(self, "buffer", name, own["_buffers"])
        if tensor is not None and not _is_like_tensor(tensor):
            raise TypeError(f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None "
                            "required)")
        own["_buffers"][name] = _changed(_global_buffer_registration_hooks, self, name, tensor)
        if persistent:
            own["_non_persistent_buffers_set"].discard(name)
        else:
            own["_non_persistent_buffers_set"].add(name)

    def add_module(self, name: str, module) -> None:
        """Add a child under a name."""
        if module is not None and not isinstance(module, Registration):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        _check_name(self, "module", name, self._modules)
        self._modules[name] = _changed(_global_module_registration_hooks, self, name, module)

    def register_module(self, name: str, module) -> None:
        """The same as add_module."""
        self.add_module(name, module)

    def __setattr__(self, name: str, value) -> None:
        own = self.__dict__
        if isinstance(value, Registration):
            self._set_module(name, value)
        elif isinstance(value, Tensor) and isinstance(value, Parameter):
            if "_parameters" not in own:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            _forget(name, own, own["_buffers"], own["_modules"], own["_non_persistent_buffers_set"])
            self.register_parameter(name, value)
        elif (params := own.get("_parameters")) is not None and name in params:
            if value is not None:
                raise TypeError(f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None "
                                "expected)")
            self.register_parameter(name, value)
        elif (modules := own.get("_modules")) is not None and name in modules:
            if value is not None:
                raise TypeError(f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None "
                                "expected)")
            modules[name] = _changed(_global_module_registration_hooks, self, name, value)
        elif isinstance(value, Tensor) and isinstance(value, Buffer) or name in own.get("_buffers", ()):
            self._set_buffer(name, value)
        else:
            super().__setattr__(name, value)

    def _set_module(self, name: str, module) -> None:
        own = self.__dict__
        if "_modules" not in own:
            raise AttributeError("cannot assign module before Module.__init__() call")
        if name in own["_parameters"]:
            raise TypeError(f"cannot assign '{typename(module)}' as parameter '{name}' (torch.nn.Parameter or None "
                            "expected)")
        _forget(name, own, own["_parameters"], own["_buffers"], own["_non_persistent_buffers_set"])
        own["_modules"][name] = _changed(_global_module_registration_hooks, self, name, module)

    def _set_buffer(self, name: str, value) -> None:
        own = self.__dict__
        if value is not None and not _is_like_tensor(value):
            raise TypeError(f"cannot assign '{typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or "
                            "None expected)")
        if isinstance(value, Buffer):
            if "_buffers" not in own:
                raise AttributeError("cannot assign buffer before Module.__init__() call")
            self._register_by_own_function(name, value)
        else:
            own["_buffers"][name] = _changed(_global_buffer_registration_hooks, self, name, value)

    def _register_by_own_function(self, name: str, buffer: Buffer) -> None:
        """By register_buffer(), which a subclass may have written before buffers could be left out of the state."""
        function = getattr(self.register_buffer, "__func__", None)
        if function is Registration.register_buffer or "persistent" in signature(self.register_buffer).parameters:
            self.register_buffer(name, buffer, buffer.persistent)
        elif buffer.persistent:
            self.register_buffer(name, buffer)
        else:
            raise RuntimeError("Registering a non-persistent buffer on a Module subclass that implements "
                               "register_buffer() without the persistent argument is not allowed.")

    def __getattr__(self, name: str):
        own = self.__dict__
        if "_parameters" in own:  # else Module.__init__ has not run
            members = own["_parameters"]
            if name in members:
                return members[name]
            members = own["_modules"]
            if name in members:
                return members[name]
            members = own["_buffers"]
            if name in members:
                return members[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers}
        return sorted(name for name in names if not name[0].isdigit())


def typename(value) -> str:
    """A type as error messages name it: ours go by torch's address."""
    shown, home = queries.typename(value), __name__.partition(".")[0] + "."
    return "torch." + shown.removeprefix(home) if shown.startswith(home) else shown


def _check_name(module, kind: str, name: str, table: dict) -> None:
    if not isinstance(name, str):
        raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
    if name not in table and hasattr(module, name):  # a property that cannot be read yet is no attribute yet
        raise KeyError(f"attribute '{name}' already exists")
    if "." in name:
        raise KeyError(f'{kind} name can\'t contain "."{", got: " + name if kind == "module" else ""}')
    if name == "":
        raise KeyError(f'{kind} name can\'t be empty string ""')


def _forget(name: str, *tables) -> None:
    """Make room: a name stands in one place only."""
    for table in tables:
        if name in table:
            if isinstance(table, set):
                table.discard(name)
            else:
                del table[name]


def _changed(hooks: dict, module, name: str, value):
    """What the global registration hooks make of a new member."""
    for hook in hooks.values():
        output = hook(module, name, value)
        if output is not None:
            value = output
    return value


def _register(hooks: OrderedDict, hook: Callable) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def register_module_parameter_registration_hook(hook: Callable) -> RemovableHandle:
    """Call ``hook(module, name, param)`` whenever any module gets a parameter."""
    return _register(_global_parameter_registration_hooks, hook)


def register_module_buffer_registration_hook(hook: Callable) -> RemovableHandle:
    """Call ``hook(module, name, buffer)`` whenever any module gets a buffer."""
    return _register(_global_buffer_registration_hooks, hook)


def register_module_module_registration_hook(hook: Callable) -> RemovableHandle:
    """Call ``hook(module, name, submodule)`` whenever any module gets a child."""
    return _register(_global_module_registration_hooks, hook)
