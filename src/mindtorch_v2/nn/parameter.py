"""Tensors that a module owns: parameters, which are trained, and buffers, which are not."""

from __future__ import annotations

from collections import OrderedDict

from ..api.install import FUNCTIONS
from ..api.pickling import object_state, set_object_state
from ..autograd.hooks import warn_if_has_hooks
from ..core.device import preserve_format
from ..core.fields import set_data
from ..core.missing_name import missing_name as _missing_name
from ..core.overrides import disabled_function
from ..core.tensor import Tensor, bare
from ..dispatch.aten import aten

empty = FUNCTIONS["empty"]  # torch.empty itself, so that `with torch.device(...)` is asked where a module's tensors go


class _ParameterMeta(type):
    """A tensor of the user's own class counts as a parameter once it was wrapped as one."""

    def __instancecheck__(cls, instance) -> bool:
        if cls is Parameter and isinstance(instance, Tensor) and getattr(instance, "_is_param", False):
            return True
        return type.__instancecheck__(cls, instance)


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that a module lists among its parameters when it is assigned as an attribute."""

    __torch_function__ = disabled_function  # what is computed from a parameter is none

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        if data is None:
            data = empty((0,))
        if type(data) is Tensor or type(data) is Parameter:
            return _as_class(cls, aten.detach(data), requires_grad)
        parameter = data.detach().requires_grad_(requires_grad)
        if type(parameter) is not type(data):
            raise RuntimeError(f"Creating a Parameter from an instance of type {type(data).__name__} requires that "
                               "detach() returns an instance of the same type, but return type "
                               f"{type(parameter).__name__} was found instead. To use the type as a Parameter, please "
                               "correct the detach() semantics defined by its __torch_dispatch__() implementation.")
        parameter._is_param = True
        return parameter

    def __deepcopy__(self, memo: dict) -> Parameter:
        if id(self) not in memo:
            copied = type(self)(self.data.clone(memory_format=preserve_format), self.requires_grad)
            memo[id(self)] = copied
        return memo[id(self)]

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()

    def __reduce_ex__(self, proto):
        warn_if_has_hooks(self)
        state = object_state(self)
        if state:
            return _rebuild_parameter_with_state, (self.data, self.requires_grad, OrderedDict(), state)
        return _rebuild_parameter, (self.data, self.requires_grad, OrderedDict())


def _as_class(cls: type, data: Tensor, requires_grad: bool) -> Tensor:
    """A tensor of a Python class on the storage of another; it shares data and version, not history."""
    parameter = bare(cls)
    set_data(parameter, data._mt_storage, data._mt_array, data.dtype)
    parameter._mt_version = data._mt_version
    parameter._mt_inference, parameter._mt_kind = data._mt_inference, data._mt_kind
    if requires_grad:
        if data.dtype.category < 2:
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        parameter._mt_requires = True
    return parameter


def _rebuild_parameter(data: Tensor, requires_grad: bool, backward_hooks: OrderedDict) -> Parameter:
    return Parameter(data, requires_grad)


def _rebuild_parameter_with_state(data: Tensor, requires_grad: bool, backward_hooks: OrderedDict, state: dict):
    return set_object_state(Parameter(data, requires_grad), state)


class _BufferMeta(type):
    def __instancecheck__(cls, instance) -> bool:
        if cls is Buffer and isinstance(instance, Tensor) and getattr(instance, "_is_buffer", False):
            return True
        return type.__instancecheck__(cls, instance)


class Buffer(Tensor, metaclass=_BufferMeta):
    """Marks a tensor, which stays a plain one, to be listed among a module's buffers when it is assigned."""

    __torch_function__ = disabled_function

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Tensor:
        if data is None:
            data = empty((0,))
        buffer = data.detach().requires_grad_(data.requires_grad)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer


def is_lazy(param) -> bool:
    """Whether a parameter or buffer still waits for its shape."""
    return hasattr(type(param), "materialize")


def __getattr__(name: str):
    """Parameters of lazy modules, whose classes are made when somebody needs them."""
    if name in ("UninitializedParameter", "UninitializedBuffer", "UninitializedTensorMixin"):
        from . import uninitialized
        return getattr(uninitialized, name)
    raise _missing_name(__name__, name)
