"""Copies of a whole tensor: copy.copy, copy.deepcopy, pickle. Tensors that share a storage share its copy."""

from __future__ import annotations

import copy
from collections import OrderedDict

from ..autograd.grad_mode import no_grad
from ..core.device import as_device
from ..core.strided import make_window
from ..core.tensor import _FIELDS, Tensor, add_attribute, bare, offset_of, shape_of, take_over
from ..dispatch.aten import aten
from ..dispatch.dispatcher import call
from ..dispatch.python_dispatch import is_opaque
from ..ops.create.factories import Empty, EmptyStrided, NewEmpty
from ..ops.python.storage import SetStorageAt, UntypedStorage, untyped_storage
from .factory import require
from .typed_storage import TypedStorage, typed_storage

_NOT_A_LEAF = ("Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
               "moment.  If you were attempting to deepcopy a module, this may be because of a "
               "torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001")


def deepcopy(self: Tensor, memo: dict) -> Tensor:
    """A leaf with a storage of its own; one deepcopy() copies a storage once."""
    if self.grad_fn is not None:
        raise RuntimeError(_NOT_A_LEAF)
    if id(self) in memo:
        return memo[id(self)]
    if is_opaque(self) or not self.is_cpu:
        return _deepcopy_opaque(self, memo)
    storage = untyped_storage(self).__deepcopy__(memo)
    copied = call(NewEmpty.op, (self, (), None, None, None, False))
    call(SetStorageAt.op, (copied, storage, offset_of(self), self._mt_array.shape, self.stride()))
    copied._mt_version = None
    if type(self) is not Tensor:
        copied = as_class(type(self), copied)
    copied._mt_requires = self._mt_requires
    if self._mt_grad is not None:
        copied._mt_grad = deepcopy(self._mt_grad, memo)
    copied.__dict__.update(copy.deepcopy(own_attributes(self), memo))
    memo[id(self)] = copied
    return copied


def _deepcopy_opaque(self: Tensor, memo: dict) -> Tensor:
    """Where the class answers for the memory, its clone() makes the copy."""
    with no_grad():
        copied = aten.clone(self)
    if type(copied) is not type(self):
        raise RuntimeError("The default implementation of __deepcopy__() for wrapper subclasses only works for "
                           "subclass types that properly implement __torch_dispatch__ for aten::clone; it returned "
                           f"{type(copied).__name__}")
    copied._mt_requires = self._mt_requires
    copied.__dict__.update(copy.deepcopy(own_attributes(self), memo))
    memo[id(self)] = copied
    return copied


def own_attributes(tensor: Tensor) -> dict:
    """What the user has put on a tensor; the engine's notes, and uncompiled a tensor's fields, stand beside it."""
    return {name: value for name, value in tensor.__dict__.items()
            if name not in _FIELDS and not name.startswith("_mt_")}


def as_class(cls: type, tensor: Tensor) -> Tensor:
    """The same tensor as an object of another class: all fields, no row."""
    return take_over(bare(cls), tensor)


def reduce_ex(self: Tensor, protocol: int):
    """How pickle writes a tensor: torch's function, and torch's order of arguments."""
    if self.grad_fn is not None and self._mt_requires:
        raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support pickling at the moment; "
                           "use detach() first")
    if not self.is_cpu:
        return _reduce_elsewhere(self)
    args = (typed_storage(self), offset_of(self), tuple(self._mt_array.shape),
            self.stride(), self._mt_requires, OrderedDict())
    state = own_attributes(self)
    if type(self) is Tensor and not state:
        return _rebuild_tensor_v2, args
    return _rebuild_from_type_v2, (_rebuild_tensor_v2, type(self), args, state)


def _reduce_elsewhere(self: Tensor):
    """A tensor on another device goes by its values; one without values by its shape."""
    if self.is_meta:
        args = (self.dtype, shape_of(self), self.stride(), self._mt_requires)
        return _rebuild_meta_tensor_no_storage, args
    return _rebuild_device_tensor_from_cpu_tensor, (self.detach().cpu(), self.dtype, self.device, self._mt_requires)


def _rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad: bool) -> Tensor:
    empty = call(EmptyStrided.op, (tuple(size), tuple(stride), dtype, None, as_device("meta"), False))
    return require(empty, requires_grad)


def _rebuild_device_tensor_from_cpu_tensor(data: Tensor, dtype, device, requires_grad: bool) -> Tensor:
    return require(data.to(device=device, dtype=dtype), requires_grad)


def _rebuild_tensor_v2(storage: TypedStorage, storage_offset: int, size, stride, requires_grad: bool, backward_hooks,
                       metadata=None) -> Tensor:
    """A tensor from what reduce_ex() wrote."""
    return require(_rebuild_tensor(storage, storage_offset, size, stride), requires_grad)


def _rebuild_tensor(storage: TypedStorage | UntypedStorage, storage_offset: int, size, stride) -> Tensor:
    dtype, size, stride, held = storage.dtype, tuple(size), tuple(stride), storage._untyped_storage.of
    make_window(held.owner, dtype.numpy, size, stride, storage_offset, held.nbytes)  # set_() would grow the storage
    tensor = call(Empty.op, ((0,), dtype, None, None, False, None))
    tensor = call(SetStorageAt.op, (tensor, storage._untyped_storage, storage_offset, size, stride))
    tensor._mt_version = None
    return tensor


def _rebuild_from_type_v2(function, new_type: type, args: tuple, state: dict) -> Tensor:
    rebuilt = function(*args)
    if new_type is not Tensor:
        rebuilt = as_class(new_type, rebuilt)
    rebuilt.__dict__.update(state)
    return rebuilt


add_attribute("__deepcopy__", deepcopy)
add_attribute("__reduce_ex__", reduce_ex)
