"""torch.FloatTensor and its like: classes of tensors by element type; x.type(...), set_default_tensor_type()."""

from __future__ import annotations

from ..core import dtype as dtypes
from ..core.device import CPU, sparse_coo, strided
from ..core.sparse import is_compressed, is_coo
from ..core.tensor import Tensor, add_attribute, place_of
from ..core.user_warning import warn_user
from ..dispatch.dispatcher import call
from ..ops.create.copy import ToDtype
from ..ops.create.to import ToDevice
from .legacy import legacy, legacy_sparse


class TensorType(type):
    """The class of such classes: each names an element type; tensors of that type are its instances."""

    def __new__(meta, name: str, bases: tuple, facts: dict):  # noqa: N804
        if bases:
            raise TypeError(f"type '{_torch_name(bases[0])}' is not an acceptable base type")
        return super().__new__(meta, name, bases, facts)

    def __call__(cls, *args, **kwargs) -> Tensor:
        if cls.is_cuda:
            raise TypeError(f"type {_torch_name(cls)} not available. Torch not compiled with CUDA enabled.")
        return legacy_sparse(cls.dtype, args) if cls.is_sparse else legacy(cls.dtype, args, kwargs)

    def __instancecheck__(cls, instance) -> bool:
        return (isinstance(instance, Tensor) and instance.dtype is cls.dtype and not cls.is_cuda
                and is_coo(instance) == cls.is_sparse)

    def __getattr__(cls, name: str):
        """Methods of tensors, such as ``torch.FloatTensor.add``."""
        if hasattr(Tensor, name):
            return getattr(Tensor, name)
        raise AttributeError(f"type object '{_torch_name(cls)}' has no attribute '{name}'")

    def __repr__(cls) -> str:
        return f"<class '{_torch_name(cls)}'>"


def _torch_name(kind: TensorType) -> str:
    return f"torch.{'cuda.' if kind.is_cuda else 'sparse.' if kind.is_sparse else ''}{kind.__name__}"


def _class_of(dtype: dtypes.DType, module: str) -> TensorType:
    return TensorType(f"{dtype.short}Tensor", (), {
        "__module__": module, "__slots__": (), "dtype": dtype, "is_sparse": module.endswith(".sparse"),
        "layout": sparse_coo if module.endswith(".sparse") else strided, "is_cuda": module.endswith(".cuda"),
        "is_xpu": False})


_PACKAGE = __name__.partition(".")[0]
_NAMED = ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "bfloat16")
TYPES = {kind.__name__: kind for kind in (_class_of(dtypes.by_name(name), _PACKAGE) for name in _NAMED)}
CUDA_TYPES = {name: _class_of(kind.dtype, f"{_PACKAGE}.cuda") for name, kind in TYPES.items()}
SPARSE_TYPES = {name: _class_of(kind.dtype, f"{_PACKAGE}.sparse") for name, kind in TYPES.items()
                if name != "BoolTensor"}
# Complex types have names, but no classes.
_BY_NAME = {f"torch.{word}{dtype.short}Tensor": dtype for dtype in dtypes.ALL for word in ("", "sparse.")}
_CUDA_NAMES = frozenset(map(_torch_name, CUDA_TYPES.values()))


def type_(self: Tensor, dtype=None, non_blocking: bool = False):
    """The name of the tensor's type, or the tensor in another one."""
    if dtype is None:
        return f"torch.{_backend_word(self)}{self.dtype.short}Tensor"
    if isinstance(dtype, dtypes.DType):
        return call(ToDtype.op, (self, dtype, non_blocking, False, None))
    return call(ToDevice.op, (self, CPU, element_type(dtype), non_blocking, False, None))


def _backend_word(self: Tensor) -> str:
    """What stands before the element type in the name of a tensor's type."""
    if is_compressed(self):
        raise RuntimeError("Unimplemented backend SparseCsrCPU")
    return "sparse." if is_coo(self) else "" if self.is_cpu else place_of(self).type + "."


def element_type(kind) -> dtypes.DType:
    """The element type of a class of tensors, or of its name."""
    if kind is Tensor:
        return dtypes.get_default_dtype()
    if isinstance(kind, (TensorType, type)):
        name = _torch_name(kind) if isinstance(kind, TensorType) else kind.__name__
    elif isinstance(kind, str):
        name = kind
    else:
        raise TypeError("dtype must be a type, str, or dtype object")
    if name in _CUDA_NAMES:
        raise AssertionError("Torch not compiled with CUDA enabled")
    if name not in _BY_NAME:
        raise ValueError(f"invalid type: '{name}'")
    return _BY_NAME[name]


def set_default_tensor_type(t: TensorType | str, /) -> None:
    """The old way to set_default_dtype()."""
    warn_user("torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() "
              "and torch.set_default_device() as alternatives.")
    if not isinstance(t, (TensorType, str)):
        raise TypeError("invalid type object: only floating-point types are supported as the default type")
    dtype = element_type(t)
    if dtype.category != dtypes.FLOATING:
        raise TypeError("only floating-point types are supported as the default type")
    dtypes.set_default_dtype(dtype)


add_attribute("type", type_)
