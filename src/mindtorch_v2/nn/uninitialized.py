"""Parameters and buffers of lazy modules, which have no shape before the first batch comes.

These classes want to be asked about every function, which costs every op a test: they are made when the first lazy
module is (``nn.parameter`` imports this file on demand).
"""

from __future__ import annotations

from ..api.legacy import make_subclass
from ..core.tensor import Tensor
from .parameter import Parameter, empty

# What may be asked of a tensor without a shape: its type and device, and others of the same.
_ALLOWED = {"copy_", "is_floating_point", "is_complex", "half", "float", "double", "char", "short", "int", "long",
            "cuda", "cpu", "to", "get_device", "size", "_has_compatible_shallow_copy_type", "__hash__", "__get__",
            "__set__", "__delete__"}
_NO_SHAPE = ("Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
             "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` "
             "to initialize the parameters before accessing their attributes.")


class UninitializedTensorMixin:
    """A tensor that waits for its shape."""

    cls_to_become: type

    def materialize(self, shape, device=None, dtype=None) -> None:
        """Memory of a shape; from then on it is what it was to become."""
        if device is None:
            device = self.data.device
        if dtype is None:
            dtype = self.data.dtype
        self.data = empty(shape, device=device, dtype=dtype)
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError(_NO_SHAPE)

    def share_memory_(self):
        raise RuntimeError("Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize "
                           "the parameters before calling `module.share_memory()`.")

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__}>"

    def __reduce_ex__(self, proto):
        return self.__class__, (self.requires_grad,)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if getattr(func, "__name__", "") in _ALLOWED:
            return super().__torch_function__(func, types, args, kwargs)
        raise ValueError(f"Attempted to use an uninitialized parameter in {func}. This error happens when you are "
                         f"using a `LazyModule` or explicitly manipulating `torch.nn.parameter.{cls.__name__}` "
                         "objects. When using LazyModules Call `forward` with a dummy batch to initialize the "
                         "parameters before calling torch functions")


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter that waits for its shape."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device=None, dtype=None) -> Tensor:
        return make_subclass(cls, empty(0, device=device, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo: dict) -> Tensor:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.device, self.dtype)
        return memo[id(self)]


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer that waits for its shape."""

    cls_to_become = Tensor

    def __new__(cls, requires_grad: bool = False, device=None, dtype=None, persistent: bool = True) -> Tensor:
        buffer = make_subclass(cls, empty(0, device=device, dtype=dtype), requires_grad)
        buffer.persistent = persistent
        buffer._is_buffer = True
        return buffer


for _class in (UninitializedTensorMixin, UninitializedParameter, UninitializedBuffer):
    _class.__module__ = Parameter.__module__
