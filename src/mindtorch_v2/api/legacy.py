"""torch's older ways to make tensors: Tensor(...), FloatTensor(...), x.new(...); subclasses."""

from __future__ import annotations

import numpy as np

from ..core import dtype as dtypes
from ..core import operator_slots
from ..core.device import CPU, as_device, sparse_coo, strided
from ..core.geometry import contiguous_strides
from ..core.overrides import disabled_dispatch
from ..core.size import Size
from ..core.sparse import is_coo
from ..core.tensor import Tensor, add_attribute, foreign_tensor, place_of, take_over, window_of
from ..dispatch.aten import aten
from ..dispatch.dispatcher import call
from ..ops.create.copy import Detach
from ..ops.create.factories import Empty
from ..ops.python.construct import from_data
from ..ops.python.storage import UntypedStorage, check_type
from .factory import require
from .pickling import as_class
from .typed_storage import TypedStorage


def legacy(dtype: dtypes.DType, args: tuple, kwargs: dict, place=CPU) -> Tensor:
    """Sizes make memory without values; a list or an array is copied; a tensor or a storage is shown once more."""
    args, device = _read(args, kwargs)
    if not args:
        return _without_values((0,), dtype, place)
    if len(args) == 1:
        (data,) = args
        if isinstance(data, Tensor):
            return _same(data, dtype)
        if isinstance(data, (UntypedStorage, TypedStorage)):
            constructed = _without_values((0,), dtype, place)
            check_type(constructed, data, constructed.dtype.short)
            return constructed.set_(data)
        if isinstance(data, Size):
            return _without_values(tuple(data), dtype, place)
        if not isinstance(data, int) or isinstance(data, bool):
            return _from_sequence(data, dtype, device or place)
    for i, size in enumerate(args):
        if not isinstance(size, int):
            raise TypeError(f"new(): argument 'size' failed to unpack the object at pos {i + 1} with error \"type must "
                            f"be tuple of ints,but got {type(size).__name__}\"")
    return _without_values(args, dtype, place)


def legacy_sparse(dtype: dtypes.DType, args: tuple) -> Tensor:
    """``torch.sparse.FloatTensor``: nothing, sizes, or coordinates and values and perhaps a size."""
    if not args:
        return call(Empty.op, ((0,), dtype, sparse_coo, CPU, None, None))
    if isinstance(args[0], Tensor):
        indices, values, *size = args
        return aten.sparse_coo_tensor(indices, values, *[tuple(sizes) for sizes in size])
    sizes = tuple(args[0]) if len(args) == 1 and not isinstance(args[0], int) else args
    return call(Empty.op, (sizes, dtype, sparse_coo, CPU, None, None))


def _read(args: tuple, kwargs: dict) -> tuple[tuple, object]:
    """The arguments by position, and the device; what is given by name is one of them."""
    given = dict(kwargs)
    device = given.pop("device", None)
    as_device(device)
    for name, value in given.items():
        if args or name not in ("size", "data", "other", "storage"):
            raise TypeError(f"new() got an unexpected keyword argument '{name}'")
        args = (Size(value) if name == "size" else value,)
    return args, device


def _without_values(size: tuple, dtype: dtypes.DType, place) -> Tensor:
    return call(Empty.op, (size, dtype, strided, place, None, None))


def _same(data: Tensor, dtype: dtypes.DType) -> Tensor:
    if dtype is not None and data.dtype is not dtype:
        raise TypeError(f"expected {dtype!r} (got {data.dtype!r})")
    return aten.alias(data)


def _from_sequence(data, dtype: dtypes.DType, device) -> Tensor:
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if not hasattr(data, "__len__"):
        raise TypeError(f"new(): data must be a sequence (got {type(data).__name__})")
    return from_data(data, dtype, device, copy=False)


def construct(self: Tensor, args: tuple, kwargs: dict) -> None:
    """What ``Tensor(...)`` puts into the tensor it is called on; of the default type, but a tensor keeps its own."""
    shown = len(args) == 1 and isinstance(args[0], Tensor)
    take_over(self, aten.alias(args[0]) if shown else legacy(dtypes.get_default_dtype(), args, kwargs))


def new(self: Tensor, *args, **kwargs) -> Tensor:
    """The old constructor in this tensor's type."""
    return legacy_sparse(self.dtype, args) if is_coo(self) else legacy(self.dtype, args, kwargs, place_of(self))


def make_subclass(cls: type, data: Tensor, require_grad: bool = False) -> Tensor:
    """A tensor of a class of the user's own on the memory of another, without its history."""
    _check_class(cls)
    return require(as_class(cls, call(Detach.op, (data,))), require_grad)


def make_wrapper_subclass(cls: type, size, strides=None, storage_offset: int | None = None, memory_format=None,
                          dtype=None, layout=strided, device=None, pin_memory: bool = False,
                          requires_grad: bool = False, dispatch_sizes_strides_policy=None,
                          dispatch_device: bool = False, dispatch_layout: bool = False, _extra_dispatch_keys=None,
                          storage_size=None) -> Tensor:
    """A tensor that has a shape and a type but no values: its class's ``__torch_dispatch__`` answers for it."""
    _check_class(cls)
    if cls.__torch_dispatch__ is disabled_dispatch:
        raise TypeError(f"{cls.__name__} must define __torch_dispatch__")
    as_device(device)
    size = tuple(size)
    steps = contiguous_strides(size) if strides is None else tuple(strides)
    dtype, storage_offset = dtype or dtypes.get_default_dtype(), storage_offset or 0
    reach = storage_offset + 1 + sum((n - 1) * step for n, step in zip(size, steps)) if 0 not in size else 0
    owner = foreign_tensor(np.empty(reach, dtype.numpy), dtype)  # never touched, so that it takes no memory
    return require(as_class(cls, window_of(owner, size, steps, storage_offset)), requires_grad)


def _check_class(cls: type) -> None:
    if not isinstance(cls, type) or not issubclass(cls, Tensor):
        raise TypeError("Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. "
                        "Make sure your class inherits from Tensor.")


def as_subclass(self: Tensor, cls: type) -> Tensor:
    """The same tensor, history and all, as an object of a class of the user's own."""
    _check_class(cls)
    return as_class(cls, aten.alias(self))


operator_slots.bind("construct", construct)
for _name, _value in {"new": new, "as_subclass": as_subclass,
                      "_make_subclass": staticmethod(make_subclass),
                      "_make_wrapper_subclass": staticmethod(make_wrapper_subclass)}.items():
    add_attribute(_name, _value)
