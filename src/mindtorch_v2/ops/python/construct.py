# cython: annotation_typing=False
"""torch.tensor and its relatives: tensors from numbers, lists, arrays and buffers."""

from __future__ import annotations

import numpy as np

from ...autograd.node import note_detached
from ...core import dtype as dtypes
from ...core import modes
from ...core.device import CPU, as_device, strided
from ...core.fields import node_of, set_history
from ...core.overrides import NO, ask_modes, stacks
from ...core.slots import Work
from ...core.tensor import Tensor, add_attribute, blank, foreign_tensor
from ...core.user_warning import warn_user
from ...dispatch.dispatcher import call, is_unobserved
from ...opdef.form import Op
from ..create.copy import Clone, Detach
from ..create.factories import Empty
from ..create.to import ToDevice, as_dtype
from . import nested_lists
from .storage import is_storage, of_storage

_NEGATIVE = ("At least one stride in the given numpy array is negative, and tensors with negative strides are not "
             "currently supported. (You can probably work around this by making a copy of your array  with "
             "array.copy().) ")
_ONE_COPY = ("To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
             "sourceTensor.detach().clone().requires_grad_(True), rather than {}(sourceTensor).")


class LiftFresh(Op):
    """The tensor itself; the row says that its data came from outside."""

    schema = "lift_fresh(Tensor(a) self) -> Tensor(a)"

    def view(self):
        return self


class DetachInner(Op):
    """What detach_ does; torch shows it as a row of its own, without the prefix."""

    schema = "_detach_(Tensor(a!) self) -> Tensor(a!)"
    internal = "the inner half of detach_"
    event = "detach_"

    def body(self):
        if self._mt_base is not None:
            raise RuntimeError("Can't detach views in-place. Use detach() instead. If you are using "
                               "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as "
                               "True, gradients are views of DDP buckets, and hence detach_() cannot be called on "
                               "these gradients. To fix this error, please refer to the Optimizer.zero_grad() function "
                               "in torch/optim/optimizer.py as a solution.")
        if node_of(self) is not None:
            note_detached()
        set_history(self, None, 0, False)
        self._mt_tangents = None
        return self


class DetachInPlace(Op):
    """The tensor without its history."""

    schema = "detach_(Tensor(a!) self) -> Tensor(a!)"
    variants = "method"

    def body(self):
        below = modes.set_below(True)
        try:
            return call(DetachInner.op, (self,))
        finally:
            modes.set_below(below)


def require(constructed: Tensor, requires_grad: bool = True) -> Tensor:
    """A new tensor as a leaf that wants its gradient."""
    if requires_grad and constructed.dtype.category < 2:
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    constructed._mt_requires = requires_grad
    return constructed


def tensor(data, *, dtype=None, device=None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:
    """A tensor that copies numbers, nested lists, an array or another tensor."""
    answer = _ask(tensor, data, dtype=dtype, device=device, requires_grad=requires_grad or None,
                  pin_memory=pin_memory or None)
    if answer is not NO:
        return answer
    if isinstance(data, Tensor):
        warn_user(_ONE_COPY.format("torch.tensor"))
    return _copied("tensor", data, dtype, device, requires_grad, None)


def _ask(function, data, **options):
    """What a mode says to a call that makes a tensor out of something else; it is shown the options that were given."""
    if not stacks.functions:
        return NO
    return ask_modes(function, (data,), {name: value for name, value in options.items() if value is not None})


def new_tensor(self: Tensor, data, *, dtype=None, device=None, requires_grad: bool = False, layout=None,
               pin_memory: bool = False) -> Tensor:
    """torch.tensor() in this tensor's type."""
    if isinstance(data, Tensor):
        warn_user(_ONE_COPY.format("tensor.new_tensor"))
    return _copied("new_tensor", data, dtype, device, requires_grad, self.dtype)


def _copied(name: str, data, dtype, device, requires_grad: bool, usual) -> Tensor:
    constructed = from_data(data, _dtype_argument(name, dtype) or usual, device, copy=True)
    if not is_unobserved():  # it has no history: only the row is missed
        off = modes.set_dispatch_off(True)
        call(DetachInPlace.op, (constructed,))
        modes.set_dispatch_off(off)
    return require(constructed) if requires_grad else constructed


def _dtype_argument(name: str, dtype) -> dtypes.DType | None:
    known = as_dtype(dtype)
    if dtype is not None and known is None:
        raise TypeError(f"{name}(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    return known


def from_data(data, dtype, device, copy: bool) -> Tensor:
    """A tensor without history from anything that holds numbers, copied where that is asked for or cannot be helped."""
    place = as_device(device)
    if isinstance(data, Tensor):
        source = call(Detach.op, (data,)) if copy else data
        return call(ToDevice.op, (source, place, dtype or data.dtype, False, copy, None))
    if is_storage(data):
        source = of_storage(data, getattr(data, "dtype", dtype or dtypes.int64))  # untyped bytes are read as the type
        return call(ToDevice.op, (source, place, dtype or source.dtype, False, copy, None))
    if isinstance(data, np.ndarray) or speaks_dlpack(data):
        source = _on_array(data, writes=not copy) if isinstance(data, np.ndarray) else Work.from_dlpack(data)
        return call(ToDevice.op, (source, place, dtype or source.dtype, False, copy, None))
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    return _from_nested(data, dtype, place)


def speaks_dlpack(data) -> bool:
    """Whether another library's array hands out its memory."""
    return hasattr(data, "__dlpack__") and hasattr(data, "__dlpack_device__") and not isinstance(data, np.generic)


def _from_nested(data, dtype, place) -> Tensor:
    plain = type(data) in (float, int, bool)
    shape = () if plain else nested_lists.shape_of(data)
    dtype = dtype or (dtypes.of_scalar(data) if plain else nested_lists.type_of(data))
    if is_unobserved() and (place is None or place.type == "cpu") and not dtype.rare:
        constructed = blank(shape, dtype)
        _store(constructed, data, plain)
        constructed._mt_inference = modes.is_inference_mode_enabled()
        return constructed
    below = modes.set_below(True)  # torch fills, casts and lifts outside autograd
    off = modes.set_dispatch_off(True)  # and shows a __torch_dispatch__ only what is lifted
    try:
        constructed = call(Empty.op, (shape, dtype, strided, CPU, False, None))
        _store(constructed, data, plain)
        constructed = call(ToDevice.op, (constructed, place, dtype, False, False, None))
        modes.set_dispatch_off(off)
        constructed = call(LiftFresh.op, (constructed,))
    finally:
        modes.set_dispatch_off(off)
        modes.set_below(below)
    constructed._mt_inference = modes.is_inference_mode_enabled()
    return constructed


def _store(constructed: Tensor, data, plain: bool) -> None:
    if plain and constructed.dtype.category != dtypes.INTEGRAL:
        constructed._mt_array[()] = data
    else:
        nested_lists.store(constructed._mt_array, data, constructed.dtype)


def as_tensor(data, dtype=None, device=None) -> Tensor:
    """A tensor on the data itself where that is possible, else a copy."""
    if stacks.functions:
        answer = _ask(as_tensor, data, dtype=dtype, device=device)
        if answer is not NO:
            return answer
    return from_data(data, None if dtype is None else _dtype_argument("as_tensor", dtype), device, copy=False)


def from_numpy(ndarray: np.ndarray) -> Tensor:
    """A tensor on an array's memory: a write to either is seen in both."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {_full_name(type(ndarray))})")
    return _on_array(ndarray, writes=True)


def _on_array(ndarray: np.ndarray, writes: bool) -> Tensor:
    """A tensor on an array's memory, which may be written."""
    dtype = dtypes.of_numpy(ndarray.dtype)
    if any(s < 0 for s in ndarray.strides):
        raise ValueError(_NEGATIVE)
    if any(s % ndarray.itemsize for s in ndarray.strides):
        raise ValueError("given numpy array strides not a multiple of the element byte size. Copy the numpy array to "
                         "reallocate the memory.")
    if writes and not ndarray.flags.writeable:
        warn_user("The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This "
                  "means writing to this tensor will result in undefined behavior. You may want to copy the array "
                  "to protect its data or make it writable before converting it to a tensor. This type of warning "
                  "will be suppressed for the rest of this program.")
    return call(LiftFresh.op, (foreign_tensor(np.asarray(ndarray).view(), dtype),))


def _full_name(kind: type) -> str:
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def asarray(obj, *, dtype=None, device=None, copy: bool | None = None, requires_grad: bool | None = None) -> Tensor:
    """A tensor from a tensor, an array, a buffer or numbers; shares memory unless told to copy."""
    answer = _ask(asarray, obj, dtype=dtype, device=device, copy=copy, requires_grad=requires_grad)
    if answer is not NO:
        return answer
    dtype = _dtype_argument("asarray", dtype)
    if isinstance(obj, Tensor):
        shared = obj
    elif isinstance(obj, np.ndarray):
        shared = _on_array(obj, writes=not copy)
    elif speaks_dlpack(obj) or type(obj).__name__ == "PyCapsule":
        shared = Work.from_dlpack(obj)
    elif is_storage(obj):
        shared = of_storage(obj, dtype)
    elif isinstance(obj, np.generic):
        shared = call(Clone.op, (from_numpy(np.asarray(obj).copy()), None))
    elif not nested_lists.is_sequence(obj) or isinstance(obj, (list, tuple, range)):
        return _asked(from_data(obj, dtype, device, copy=False), requires_grad)
    else:
        shared = frombuffer(obj, dtype=dtype or dtypes.get_default_dtype())
    wanted = dtype or shared.dtype
    if wanted is not shared.dtype:
        if copy is False:
            raise ValueError(f"can't alias tensor with dtype '{shared.dtype.short}' into dtype '{wanted.short}'.")
        shared = call(ToDevice.op, (shared, CPU, wanted, False, False, None))
    elif copy:
        shared = call(Clone.op, (shared, None))
    return _asked(shared, requires_grad)


def _asked(shared: Tensor, requires_grad: bool | None) -> Tensor:
    """A tensor with the wish for a gradient that asarray() was given."""
    if requires_grad is None or requires_grad is shared._mt_requires:
        return shared
    return require(shared if requires_grad else call(Detach.op, (shared,)), requires_grad)


def frombuffer(buffer, *, dtype, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """A tensor on the memory of an object with Python's buffer protocol."""
    try:
        view = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if view.readonly:
        warn_user("The given buffer is not writable, and PyTorch does not support non-writable tensors. This means "
                  "you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want "
                  "to copy the buffer to protect its data or make it writable before converting it to a tensor. "
                  "This type of warning will be suppressed for the rest of this program.")
    if not isinstance(dtype, dtypes.DType):
        raise TypeError(f"frombuffer(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    size = dtype.itemsize
    if view.nbytes == 0 or count == 0:
        raise ValueError(f"both buffer length ({view.nbytes}) and count ({count}) must not be 0")
    if not 0 <= offset < view.nbytes:
        raise ValueError(f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
                         f"({view.nbytes} bytes) minus 1")
    if count > 0 and count * size > view.nbytes - offset:
        raise ValueError(f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be "
                         f"greater than actual buffer length ({view.nbytes} bytes)")
    if count < 0 and (view.nbytes - offset) % size:
        raise ValueError(f"buffer length ({view.nbytes - offset} bytes) after offset ({offset} bytes) must be a "
                         f"multiple of element size ({size})")
    array = np.frombuffer(buffer, dtype.numpy, count, offset)
    if view.readonly and not array.flags.aligned:
        array = array.copy()  # nobody can tell the difference, and tensors are aligned
    return require(foreign_tensor(array, dtype), requires_grad)


add_attribute("new_tensor", new_tensor)
